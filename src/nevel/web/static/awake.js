// A screen stays lit while a game is played at it: nobody touches a television, or a phone while others think.
let lock = null;
let isWanted = false, isAsking = false;

export async function stayAwake(isPlaying) {
  isWanted = isPlaying;
  if (!navigator.wakeLock || document.hidden || isAsking || isWanted === (lock?.released === false)) return;
  isAsking = true;
  if (isWanted) lock = await navigator.wakeLock.request("screen").catch(() => null); // the battery may be low
  else await lock.release();
  isAsking = false;
}
