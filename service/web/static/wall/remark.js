// A few words for the chief beside a disputed answer, and a form proposed for the key.

import { find } from "./shared.js";

export class RemarkDialog {
  constructor() {
    this.dialog = find("#remark");
    this.text = find("#remark-text");
    this.form = find("#remark-form");
    this.keep = null;
    for (const button of this.dialog.querySelectorAll("[data-phrase]")) {
      button.addEventListener("click", () => this.add(button.dataset.phrase));
    }
    find("#remark-cancel").addEventListener("click", () => this.dialog.close());
    find("#remark-body").addEventListener("submit", (event) => {
      event.preventDefault();
      const remark = { text: this.text.value.trim(), form: this.form.value.trim() };
      this.dialog.close();
      this.keep(remark);
    });
  }

  /**
   * Ask for a remark.
   * @param {{text: string, form: string}} remark What it is so far.
   * @param {(remark: {text: string, form: string}) => void} keep Called with the new one.
   * @param {{reading?: string}} options `reading`: a form is to be proposed, maybe this one.
   */
  open(remark, keep, { reading = null } = {}) {
    this.keep = keep;
    this.text.value = remark.text;
    this.form.value = remark.form || (reading ?? "");
    this.dialog.showModal();
    const field = reading === null ? this.text : this.form;
    field.focus();
    field.select();
  }

  /** A phrase joins what is there already; pressed twice it goes again. */
  add(phrase) {
    const parts = this.text.value.split(";").map((part) => part.trim()).filter(Boolean);
    const others = parts.filter((part) => part !== phrase);
    if (others.length === parts.length) others.push(phrase);
    this.text.value = others.join("; ").slice(0, this.text.maxLength);
    this.text.focus();
  }
}
