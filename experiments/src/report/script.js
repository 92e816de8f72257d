"use strict";
for (const root of document.querySelectorAll("[data-game]")) {
  const game = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
  const squares = [...root.querySelectorAll(".board g")];
  const buttons = [...root.querySelectorAll("[data-ply]")];
  const slider = root.querySelector('input[type="range"]');
  const list = root.querySelector(".moves");
  const cursor = root.querySelector("[data-cursor]");
  const boards = [game.cells];
  for (const step of game.steps) {
    const cells = boards[boards.length - 1].slice();
    for (const [at, owner, text] of step.set) cells[at] = [owner, text];
    boards.push(cells);
  }

  const show = (ply) => {
    ply = Math.max(0, Math.min(game.steps.length, ply));
    const step = ply > 0 ? game.steps[ply - 1] : null;
    const changed = new Set(step ? step.set.map(([at]) => at) : []);
    squares.forEach((square, at) => {
      const [owner, text] = boards[ply][at];
      square.setAttribute("class", changed.has(at) ? owner + " changed" : owner);
      square.lastElementChild.textContent = text;
    });
    root.querySelector("[data-note]").textContent = step ? step.note : game.note;
    root.querySelector("[data-now]").textContent = step
      ? step.move + (step.eval ? " · " + step.eval : "")
      : "Start position";
    slider.value = ply;
    slider.setAttribute("aria-valuetext", step ? step.move : "Start position");
    if (cursor) {
      cursor.setAttribute("x1", ply);
      cursor.setAttribute("x2", ply);
    }
    buttons.forEach((button, at) => {
      if (at + 1 === ply) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    // Scroll the list alone: scrollIntoView would move the page as well.
    const current = buttons[ply - 1];
    list.scrollTop = current ? current.offsetTop - list.clientHeight / 2 : 0;
  };

  const go = {
    first: () => 0,
    back: (at) => at - 1,
    on: (at) => at + 1,
    last: () => game.steps.length,
  };
  for (const button of root.querySelectorAll("[data-go]")) {
    button.addEventListener("click", () => show(go[button.dataset.go](Number(slider.value))));
  }
  for (const button of buttons) button.addEventListener("click", () => show(Number(button.dataset.ply)));
  slider.addEventListener("input", () => show(Number(slider.value)));
  show(0);
}
