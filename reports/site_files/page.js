// Search, sorting and the way to one's own page. Without this file all results still stand there.
"use strict";
(function () {
  var root = document.documentElement;
  root.classList.add("scripted");

  // ё is found by е, as everywhere in Otbor.
  function plain(text) {
    return text.toLowerCase().replace(/ё/g, "е").replace(/\s+/g, " ").trim();
  }

  var rows = Array.prototype.map.call(
    document.querySelectorAll(".standings tbody tr:not(.cut), details li"),
    function (row) {
      var cells = row.cells;
      var text = cells ? cells[1].textContent + " " + cells[2].textContent : row.textContent;
      return { row: row, text: " " + plain(text) };
    }
  );

  var search = document.getElementById("search");
  var found = document.getElementById("found");

  function find() {
    var words = plain(search.value.replace(/^№\s*/, "")).split(" ").filter(Boolean);
    var count = 0;
    rows.forEach(function (entry) {
      var match = words.every(function (word) {
        // A number is meant as a whole: 12 is not 112.
        return /^\d+$/.test(word)
          ? new RegExp("(^|\\D)" + word + "(\\D|$)").test(entry.text)
          : entry.text.indexOf(word) >= 0;
      });
      entry.row.hidden = !match;
      count += match;
    });
    document.querySelectorAll("main > section").forEach(function (section) {
      section.hidden = words.length > 0 && !section.querySelector("tbody tr:not(.cut):not([hidden]), li:not([hidden])");
      section.querySelectorAll(".cut").forEach(function (cut) {
        cut.hidden = words.length > 0;
      });
      section.querySelectorAll("details").forEach(function (details) {
        details.hidden = words.length > 0 && !details.querySelector("li:not([hidden])");
        if (words.length && !details.hidden) details.open = true;
      });
    });
    found.textContent = !words.length ? "" : count ? found.dataset.some.replace("{n}", count) : found.dataset.none;
  }

  if (search && rows.length) search.addEventListener("input", find);
  else if (search) search.closest("label").hidden = true;

  function value(row, column, number) {
    var text = row.cells[column].textContent.replace(/−/g, "-");
    if (!number) return plain(row.cells[column].textContent);
    var match = /-?\d+/.exec(text);
    return match ? Number(match[0]) : null;
  }

  document.querySelectorAll(".standings").forEach(function (table) {
    var body = table.tBodies[0];
    var order = Array.prototype.slice.call(body.rows);
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
      var number = head.classList.contains("num");
      var button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      button.title = document.querySelector("[data-sort]").dataset.sort.replace("{column}", head.textContent);
      head.textContent = "";
      head.appendChild(button);
      // Places and numbers are looked for from 1 up, points from the best down.
      var first = column < 3 ? 1 : -1;
      button.addEventListener("click", function () {
        var up = (first > 0 ? "ascending" : "descending");
        var down = (first > 0 ? "descending" : "ascending");
        var next = head.getAttribute("aria-sort") === up ? down : up;
        table.querySelectorAll("th").forEach(function (other) { other.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", next);
        var sign = next === "ascending" ? 1 : -1;
        var usual = column === 0 && sign === 1;
        table.classList.toggle("sorted", !usual);
        var lines = usual ? order : order.slice().sort(function (a, b) {
          if (a.classList.contains("cut")) return b.classList.contains("cut") ? 0 : 1;
          if (b.classList.contains("cut")) return -1;
          var x = value(a, column, number), y = value(b, column, number);
          if (x === null || y === null) return (x === null) - (y === null);
          return sign * (number ? x - y : x.localeCompare(y));
        });
        lines.forEach(function (line) { body.appendChild(line); });
      });
    });
  });

  var own = document.getElementById("own");
  if (own) {
    own.addEventListener("submit", function (event) {
      event.preventDefault();
      var code = document.getElementById("code").value.toLowerCase().replace(/[\s\-–—−]/g, "");
      // Letters of a Russian keyboard are taken for the Latin ones that they look like.
      code = code.replace(/[авекмнрстухз]/g, function (char) {
        return "abekmhpctyx3".charAt("авекмнрстухз".indexOf(char));
      });
      var right = /^[a-z0-9]{12}$/.test(code);
      document.getElementById("code-wrong").hidden = right;
      if (right) location.href = "p/" + code + ".html";
    });
  }
})();
