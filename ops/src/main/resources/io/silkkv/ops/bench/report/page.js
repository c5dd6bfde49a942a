// Values under the pointer, and the choice of systems. The page is whole without it.
(() => {
  const tip = document.getElementById("tip");
  const time = us =>
    us < 999.5 ? us.toPrecision(3) + " µs" : us < 999500 ? (us / 1e3).toPrecision(3) + " ms" : (us / 1e6).toPrecision(3) + " s";
  const write = {
    "us": time,
    "op/s": value => Math.round(value).toLocaleString("en") + " op/s",
    "MB/s": value => value.toFixed(1) + " MB/s",
  };

  document.querySelectorAll(".keys button").forEach(button =>
    button.addEventListener("click", () => {
      const off = button.getAttribute("aria-pressed") === "true";
      button.setAttribute("aria-pressed", String(!off));
      document.querySelectorAll(`g[data-system="${button.dataset.system}"]`).forEach(group => group.classList.toggle("off", off));
    }));

  document.querySelectorAll("section").forEach(section => {
    const charts = [...section.querySelectorAll("figure.chart")].map(figure => ({
      svg: figure.querySelector(":scope > svg"),
      data: JSON.parse(figure.querySelector("script").textContent),
      cross: null,
    }));
    const clear = () => {
      tip.hidden = true;
      charts.forEach(chart => { if (chart.cross) { chart.cross.remove(); chart.cross = null; } });
    };
    const show = (chart, event) => {
      const box = chart.svg.getBoundingClientRect();
      const { left, right, total, per, unit, lines } = chart.data;
      const x = (event.clientX - box.left) / box.width * chart.svg.viewBox.baseVal.width;
      const second = Math.floor((x - left) / (right - left) * total);
      if (second < 0 || second >= total) { clear(); return; }
      const bucket = Math.floor(second / per);
      const at = left + Math.min(total, (bucket + .5) * per) / total * (right - left);
      charts.forEach(other => {
        if (!other.cross) {
          other.cross = document.createElementNS("http://www.w3.org/2000/svg", "line");
          other.cross.setAttribute("class", "cross");
          other.svg.append(other.cross);
        }
        other.cross.setAttribute("x1", at);
        other.cross.setAttribute("x2", at);
        other.cross.setAttribute("y1", 22);
        other.cross.setAttribute("y2", other.svg.viewBox.baseVal.height - 34);
      });
      tip.replaceChildren();
      const head = document.createElement("b");
      head.textContent = per === 1 ? `second ${bucket}` : `seconds ${bucket * per} to ${Math.min(total, (bucket + 1) * per) - 1}`;
      tip.append(head);
      lines.forEach(line => {
        const value = line.values[bucket];
        const row = document.createElement("div");
        const chip = document.createElement("i");
        chip.className = line.class;
        const name = document.createElement("span");
        name.textContent = line.name;
        const text = document.createElement("span");
        text.textContent = value === null || value === undefined ? "–" : write[unit](value);
        row.append(chip, name, text);
        tip.append(row);
      });
      tip.hidden = false;
      const width = tip.offsetWidth, height = tip.offsetHeight;
      tip.style.left = (event.clientX + 16 + width > innerWidth ? event.clientX - 16 - width : event.clientX + 16) + "px";
      tip.style.top = Math.max(4, Math.min(innerHeight - height - 4, event.clientY - height / 2)) + "px";
    };
    charts.forEach(chart => {
      chart.svg.addEventListener("pointermove", event => show(chart, event));
      chart.svg.addEventListener("pointerleave", clear);
    });
  });
})();
