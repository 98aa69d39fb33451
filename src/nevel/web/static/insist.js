// The same request with the same id until there is an answer: done once, however often it is sent.
export async function insist(address, body) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await fetch(address, { method: "POST", body, headers: { accept: "application/json" } });
      if (answer.status !== 503) return answer;
    } catch {
      // The network is away; so is the socket, which says so.
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(300 * 2 ** attempt, 5000)));
  }
}
