// Plays single steps of a staging with places of the board, and takes away what it put there. It changes no layout: what
// moves is moved by transforms, and what is added lies above the board or absolutely within it.
const layer = document.createElement("div");
layer.className = "staging-layer";
document.body.append(layer);

const OUT = { up: "0 -120%", down: "0 120%", left: "-120% 0", right: "120% 0" };
const EASE = "cubic-bezier(.2,.8,.3,1)";

// An element that a step names: by its id, or by what it is as a place.
function find(name) {
  const table = document.getElementById("table");
  const found = document.getElementById(name) ?? table.querySelector(`[data-place="${CSS.escape(name)}"]`);
  return found && table.contains(found) ? found : null;
}

const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];

export class Stage {
  constructor() {
    this.animations = [];
    this.added = []; // elements that aren't the board's
    this.marked = []; // classes that aren't the board's
    this.lying = new Map(); // what was moved to a place, by its name
    this.offsets = new Map(); // how far something was moved
    this.coming = []; // what moves on the new board
    this.goOn = null; // ends the wait for people
    this.scene = null; // the place where all is played now
  }

  // The place that the next steps are played on; whether it is another, and there is one.
  changeScene(name) {
    const scene = name ? find(name) : null;
    if (scene === this.scene) return false;
    this.scene?.classList.remove("staged-scene");
    scene?.classList.add("staged-scene");
    this.scene = scene;
    return Boolean(scene);
  }

  // ---- the change of the board

  // Remember, on the old board, where what will move comes from and what it will cover.
  prepare(steps) {
    const coming = steps.filter((step) => step.do === "move" || step.do === "turn");
    const cards = coming.length ? [...document.querySelectorAll("#table [data-card]")] : [];
    this.cards = new Map(cards.map((card) => [card.dataset.card, card.getBoundingClientRect()]));
    this.coming = coming.map((step) => ({ step, covered: find(step.on)?.cloneNode(true), from: find(step.source)?.getBoundingClientRect() }));
  }

  // Whether an element of the new board is moved by a step.
  moves(element) {
    return this.coming.some(({ step }) => step.on && find(step.on) === element);
  }

  // On the new board, what comes is not there yet: what it will cover is.
  begin() {
    for (const one of this.coming) {
      const element = find(one.step.on);
      if (!element) continue;
      if (one.covered) one.picture = this.picture(one.covered, element);
      one.hiding = this.animate(element, [{ opacity: 0 }, { opacity: 0 }], 1, "both");
    }
  }

  // ---- steps

  // Play a step; resolves when it is over.
  play(step, length) {
    const element = find(step.on);
    if (step.do !== "announce" && !element) return Promise.resolve();
    return this[step.do](step, element, length);
  }

  move(step, element, length) {
    const coming = this.coming.find((one) => one.step === step);
    return coming ? this.arrive(step, element, coming, length) : this.carry(step, element, length);
  }

  // Onto the new board, from where it was or where it comes from.
  async arrive(step, element, coming, length) {
    coming.hiding?.cancel();
    const from = this.cards.get(element.dataset.card) ?? coming.from;
    const to = element.getBoundingClientRect();
    if (from && to.width) {
      const [x, y] = [middle(from)[0] - middle(to)[0], middle(from)[1] - middle(to)[1]];
      const scale = Math.min(1, from.width / to.width);
      this.mark(element, "is-moving");
      await this.animate(element, [{ translate: `${x}px ${y}px`, scale }, { translate: "0 0", scale: step.weight === "heavy" ? 1.14 : 1, offset: 0.75 }, { translate: "0 0", scale: 1 }], length).over;
    }
    unmark(element, "is-moving");
    coming.picture?.remove();
  }

  // On the old board, something that lies in one place to another; or a drawing that lies nowhere.
  carry(step, element, length) {
    const source = find(step.source);
    if (!source) return Promise.resolve();
    const piece = step.drawing ? this.draw(step.drawing, source) : this.pieceAt(step.source, source);
    const [from, to] = [middle(piece.getBoundingClientRect()), middle(element.getBoundingClientRect())];
    this.lying.delete(step.source);
    this.lying.set(step.on, piece);
    return this.shift(piece, to[0] - from[0], to[1] - from[1], length);
  }

  leave(step, element, length) {
    const piece = this.pieceAt(step.on, element);
    this.lying.delete(step.on);
    return this.animate(piece, [{ opacity: 1 }, { translate: OUT[step.way ?? "up"], opacity: 0 }], length, "forwards").over;
  }

  async turn(step, element, length) {
    const coming = this.coming.find((one) => one.step === step);
    const turned = coming?.picture ?? element;
    await this.animate(turned, [{ transform: "none" }, { transform: "perspective(600px) rotateY(90deg)" }], length / 2, "forwards", "ease-in").over;
    coming?.hiding?.cancel();
    coming?.picture?.remove();
    if (step.drawing && !coming) this.draw(step.drawing, element);
    await this.animate(element, [{ transform: "perspective(600px) rotateY(90deg)" }, { transform: "none" }], length / 2, "forwards", "ease-out").over;
  }

  flash(step, element, length) {
    const glow = this.lay(element, `staged-glow tone-${step.tone ?? ""}`);
    return this.animate(glow, [{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 0 }], length, "both").over;
  }

  shake(step, element, length) {
    return this.animate(element, [0, -6, 6, -5, 5, -2, 0].map((x) => ({ translate: `${x}px 0` })), length).over;
  }

  raise(step, element, length) {
    return this.animate(element, [{ scale: 1 }, { scale: 1.3, offset: 0.4 }, { scale: 1 }], length).over;
  }

  // A number laid on a place, where it stays; several stand beside each other.
  tally(step, element, length) {
    return this.say(step, element, length, "staged-tally");
  }

  // The same, larger.
  score(step, element, length) {
    return this.say(step, element, length, "staged-score");
  }

  say(step, element, length, kind) {
    const number = this.added.filter((one) => one.dataset.on === step.on).length;
    const holder = this.lay(element, `staged-holder tone-${step.tone ?? ""}`);
    holder.dataset.on = step.on;
    holder.style.setProperty("--number", number);
    const text = document.createElement("b");
    text.className = kind;
    if (step.drawing) text.append(drawing(step.drawing));
    text.append(step.text ?? "");
    holder.append(text);
    return this.animate(text, [{ scale: 0.3, opacity: 0 }, { scale: 1.25, opacity: 1, offset: 0.5 }, { scale: 1, opacity: 1 }], Math.min(length, 500)).over.then(() => this.pause(length - 500));
  }

  // A look of the game's own, from now on.
  mark(step, element, length = 0) {
    if (typeof element === "string") return this.marked.push([step, element]), step.classList.add(element);
    this.marked.push([element, `staged-${step.look}`]);
    element.classList.add(`staged-${step.look}`);
    return this.pause(length);
  }

  // A place as large as the board lets it be, until another is or the staging is over.
  async enlarge(step, element, length) {
    this.large?.reverse();
    this.mark(element, "is-enlarged");
    const [box, all] = [element.getBoundingClientRect(), frameOf()];
    const scale = Math.min((all.width * 0.92) / box.width, (all.height * 0.92) / box.height, 3);
    const [x, y] = [middle(all)[0] - middle(box)[0], middle(all)[1] - middle(box)[1]];
    this.large = this.animate(element, [{ translate: "0 0", scale: 1 }, { translate: `${x}px ${y}px`, scale }], length, "forwards");
    await this.large.over;
  }

  // The sentence of the event, read out by the table.
  announce(step, _, length) {
    const banner = this.add(layer, `staged-banner tone-${step.tone ?? ""}`);
    if (step.drawing) banner.append(drawing(step.drawing));
    banner.append(step.line.sentence);
    return this.animate(banner, [{ opacity: 0, scale: 0.9 }, { opacity: 1, scale: 1, offset: 0.15 }, { opacity: 1, scale: 1, offset: 0.85 }, { opacity: 0, scale: 1 }], length, "both").over;
  }

  // Until somebody goes on, or the limit is over. Any key and every tap go on, too.
  waitForPeople(limit) {
    const button = this.add(layer, "primary staged-next", "button");
    button.type = "button";
    button.removeAttribute("aria-hidden");
    button.textContent = document.getElementById("staging-words").dataset.nextRound;
    return Promise.race([this.pause(limit), new Promise((resolve) => (this.goOn = resolve))]).then(() => (this.goOn = null));
  }

  // ---- what it is made of

  pause(length) {
    return new Promise((resolve) => setTimeout(resolve, Math.max(0, length)));
  }

  animate(element, frames, duration, fill = "none", easing = EASE) {
    const animation = element.animate(frames, { duration: Math.max(1, duration), fill, easing });
    animation.over = animation.finished.catch(() => {}); // or ended before
    this.animations.push(animation);
    return animation;
  }

  // Further than it was moved before; a place that is shown large has larger steps.
  shift(piece, x, y, length) {
    const [before, scale] = [this.offsets.get(piece) ?? [0, 0], piece.getBoundingClientRect().width / (piece.offsetWidth || 1) || 1];
    const after = [before[0] + x / scale, before[1] + y / scale];
    this.offsets.set(piece, after);
    this.mark(piece, "is-moving");
    return this.animate(piece, [{ translate: `${before[0]}px ${before[1]}px` }, { translate: `${after[0]}px ${after[1]}px` }], length, "forwards").over;
  }

  pieceAt(name, place) {
    return this.lying.get(name) ?? (place.matches("[data-card]") ? place : place.querySelector("[data-card]")) ?? place;
  }

  add(where, kind, tag = "span") {
    const element = document.createElement(tag);
    element.className = kind;
    element.ariaHidden = "true";
    where.append(element);
    this.added.push(element);
    return element;
  }

  // Something above a place, as large as it is.
  lay(element, kind) {
    const over = this.add(layer, kind);
    put(over, element.getBoundingClientRect());
    return over;
  }

  draw(name, place) {
    const over = this.lay(place, "staged-drawing");
    over.append(drawing(name));
    return over;
  }

  // How something looked, beneath what takes its place.
  picture(copy, element) {
    for (const one of [copy, ...copy.querySelectorAll("*")]) for (const name of ["id", "name", "value", "data-card", "data-place"]) one.removeAttribute(name);
    copy.inert = true;
    copy.ariaHidden = "true";
    copy.classList.add("is-picture");
    const parent = element.offsetParent ?? element.parentElement;
    const [box, around] = [element.getBoundingClientRect(), parent.getBoundingClientRect()];
    Object.assign(copy.style, { position: "absolute", margin: 0, left: `${box.left - around.left - parent.clientLeft + parent.scrollLeft}px`, top: `${box.top - around.top - parent.clientTop + parent.scrollTop}px`, width: `${box.width}px`, height: `${box.height}px` });
    element.before(copy);
    this.added.push(copy);
    return copy;
  }

  // Everything is as the board has it.
  clear() {
    for (const animation of this.animations) animation.cancel();
    for (const element of this.added) element.remove();
    for (const [element, name] of this.marked) unmark(element, name);
    this.changeScene("");
    this.animations = [];
    this.added = [];
    this.marked = [];
    this.coming = [];
    this.goOn?.();
    this.lying.clear();
    this.offsets.clear();
  }
}

function unmark(element, name) {
  element.classList.remove(name);
  if (!element.classList.length) element.removeAttribute("class"); // an element as the next frame has it needs no merging
}

const put = (element, { left, top, width, height }) => Object.assign(element.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });

// The part of the window that the board has.
function frameOf() {
  const box = document.getElementById("shared").getBoundingClientRect();
  const top = Math.max(0, box.top), bottom = Math.min(innerHeight, Math.max(box.bottom, top + innerHeight * 0.6));
  return { left: box.left, width: box.width, top, height: bottom - top };
}

function drawing(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${document.getElementById("staging-words").dataset.sheet}#${name}`);
  svg.classList.add("icon");
  svg.append(use);
  return svg;
}
