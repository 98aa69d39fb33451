// The same request with the same id until there is an answer: done once, however often it is sent.
const DEADLINE = 5000; // of an answer, to its last byte
const LATE = 2500;
const LONGEST_WAIT = 5000;

// `onLate` is told when there is no answer for long, and when there is one after all.
export async function insist(address, body, onLate) {
  let isLate = false;
  const timer = setTimeout(() => onLate?.((isLate = true)), LATE);
  try {
    for (let attempt = 0; ; attempt += 1) {
      const { answer, isWoken } = await post(address, body);
      if (answer && answer.status !== 503) return answer;
      if (isWoken) attempt = 0;
      else await nextWake(Math.min(300 * 2 ** attempt, LONGEST_WAIT)).ended;
    }
  } finally {
    clearTimeout(timer);
    if (isLate) onLate(false);
  }
}

// No answer where there is none in time, or when the network is away. One that came back may have forgotten what was
// under way: then it is sent again at once.
async function post(address, body) {
  const abandoning = new AbortController();
  const wake = nextWake(DEADLINE);
  let isWoken = false;
  wake.ended.then((event) => {
    isWoken = Boolean(event);
    abandoning.abort();
  });
  try {
    const answer = await fetch(address, { method: "POST", body, headers: { accept: "application/json" }, signal: abandoning.signal });
    return { answer: new Response(await answer.text(), answer), isWoken };
  } catch {
    return { answer: null, isWoken };
  } finally {
    wake.forget();
  }
}

// Ends after so many milliseconds, or as soon as the network or the table's line is back.
function nextWake(milliseconds) {
  const waiting = new AbortController();
  const ended = new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    for (const name of ["online", "line-back"]) addEventListener(name, resolve, { signal: waiting.signal });
    waiting.signal.addEventListener("abort", () => clearTimeout(timer));
  });
  ended.then(() => waiting.abort());
  return { ended, forget: () => waiting.abort() };
}
