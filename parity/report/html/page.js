"use strict";
(() => {
  const form = document.getElementById("filters");
  const { text, operation, verdict, shown } = form.elements;
  const items = [...document.querySelectorAll("[data-operation]")];
  const contents = new Map(items.map((item) => [item, item.textContent.toLowerCase()]));
  const matches = (item) =>
    contents.get(item).includes(text.value.trim().toLowerCase()) &&
    (!operation.value || item.dataset.operation === operation.value) &&
    (!verdict.value || !item.dataset.verdicts || item.dataset.verdicts.split(" ").includes(verdict.value));
  const count = (selector) => document.querySelectorAll(selector + ":not([hidden])").length;
  const apply = () => {
    for (const item of items) item.hidden = !matches(item);
    for (const group of document.querySelectorAll("tbody[data-group]"))
      group.hidden = !group.querySelector("[data-operation]:not([hidden])");
    const divergences = document.querySelector("article.divergence")
      ? " and " + count("article.divergence") + " divergences"
      : "";
    shown.value = count("#rules tr[data-operation]") + " rules" + divergences + " shown";
  };
  for (const event of ["input", "change"]) form.addEventListener(event, apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
})();
