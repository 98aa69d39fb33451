// Whoever reads what was told or said before isn't torn away from it; else the newest is in sight.
const lists = () => [...document.querySelectorAll("#story, #said")];
const isFollowed = (list) => list.scrollHeight - list.scrollTop - list.clientHeight < 40;

// The lists somebody reads further up, before there is more in them.
export const readLists = () => lists().filter((list) => !isFollowed(list)).map((list) => list.id);

// Show the newest of all others, also of those that were not there before.
export function follow(read = []) {
  for (const list of lists()) if (!read.includes(list.id)) list.scrollTop = list.scrollHeight;
}
