"use strict";
// The page as the server sent it, before anything here changed it: what a later answer is compared with.
const page = document.getElementById("main");
const here = new URL("..", document.currentScript.src); // the start page
let asSent = page?.innerHTML;

// What is done to a part of the page that has just come.
const dressers = [];
function dress(root) { for (const each of dressers) each(root); }

const typedInto = "input:not([type=checkbox], [type=radio], [type=submit], [type=button]), textarea, select";

// isField reports whether keys that are pressed in an element are typed into it.
function isField(element) { return element?.matches?.(typedInto) ?? false; }

// isTyped reports whether a field has another value than the server gave it.
function isTyped(field) {
  if (field.type === "hidden") return false;
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (field.options) {
    // Without a default, the first choice is the one that was there.
    const options = [...field.options], given = Math.max(0, options.findIndex((o) => o.defaultSelected));
    return options.some((o, i) => o.selected !== (i === given));
  }
  return field.value !== field.defaultValue;
}
