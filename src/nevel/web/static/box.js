// Where a box is corrected: what differs from ours is marked while one types, and the sums follow.
const editor = document.querySelector(".box-editor");
const fields = [...(editor?.querySelectorAll("[data-ours]:is(input, select)") ?? [])];
const state = document.getElementById("box-state");
const refresh = () => {
  for (const field of fields) field.closest(".box-cell").classList.toggle("is-changed", field.value.trim() !== field.dataset.ours);
  const isChanged = fields.some((field) => field.value.trim() !== field.dataset.ours);
  state.textContent = isChanged ? state.dataset.yours : state.dataset.ours;
  for (const section of editor.querySelectorAll("[data-total]")) {
    const sum = section.querySelector("[data-sum]");
    const firsts = [...section.querySelectorAll(".box-row")].map((row) => Number(row.querySelector("input")?.value) || 0);
    sum.textContent = firsts.reduce((one, other) => one + other, 0);
    sum.classList.toggle("is-wrong", sum.textContent !== section.dataset.total);
  }
};
editor?.addEventListener("input", () => {
  // A link to what stood here before isn't one to what stands here now.
  editor.querySelector(".shared-box")?.remove();
  refresh();
});
// Back to ours at once: nothing has to be asked for it.
editor?.querySelector(".to-ours").addEventListener("click", (event) => {
  event.preventDefault();
  for (const field of fields) field.value = field.dataset.ours;
  editor.querySelector(".shared-box")?.remove();
  refresh();
  fields[0]?.focus();
});
if (editor) refresh();
