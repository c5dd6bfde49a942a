package io.silkkv.ops.bench.report;

import java.util.Locale;

/** Builds the text of a page; what comes from outside is escaped on the way in. */
final class Markup {
  private final StringBuilder text = new StringBuilder();

  /** Markup as it is. */
  Markup raw(String markup) {
    text.append(markup);
    return this;
  }

  /** Text, escaped. */
  Markup text(String plain) {
    text.append(escape(plain));
    return this;
  }

  /** Opens an element; attributes come as name, value, name, value; numbers as pixels. */
  Markup open(String element, Object... attributes) {
    tag(element, attributes);
    text.append('>');
    return this;
  }

  Markup close(String element) {
    text.append("</").append(element).append('>');
    return this;
  }

  /** An element without content, as SVG writes it. */
  Markup empty(String element, Object... attributes) {
    tag(element, attributes);
    text.append("/>");
    return this;
  }

  /** An element with nothing but text. */
  Markup element(String element, String content, Object... attributes) {
    return open(element, attributes).text(content).close(element);
  }

  /** A rectangle of a picture. */
  Markup rect(String css, double x, double y, double width, double height) {
    return empty("rect", "class", css, "x", x, "y", y, "width", width, "height", height);
  }

  /** A straight line of a picture. */
  Markup rule(String css, double x1, double y1, double x2, double y2) {
    return empty("line", "class", css, "x1", x1, "y1", y1, "x2", x2, "y2", y2);
  }

  /** A dot of a picture. */
  Markup dot(String css, double x, double y, double radius) {
    return empty("circle", "class", css, "cx", x, "cy", y, "r", radius);
  }

  /** A shape of a picture. */
  Markup path(String css, String path) {
    return empty("path", "class", css, "d", path);
  }

  /** Words in a picture; {@code y} is their base line. */
  Markup label(String css, double x, double y, String words) {
    return element("text", words, "class", css, "x", x, "y", y);
  }

  /** Opens the part of a picture that belongs to a system. */
  Markup system(int color) {
    return open("g", "class", "system " + Palette.color(color), "data-system", color);
  }

  private void tag(String element, Object... attributes) {
    text.append('<').append(element);
    for (int i = 0; i < attributes.length; i += 2) {
      Object value = attributes[i + 1];
      text.append(' ')
          .append(attributes[i])
          .append("=\"")
          .append(value instanceof Double pixels ? px(pixels) : escape(String.valueOf(value)))
          .append('"');
    }
  }

  /** Tenths of a pixel are finer than any screen. */
  static String px(double pixels) {
    double rounded = Math.rint(pixels * 10) / 10;
    return rounded == Math.rint(rounded)
        ? String.valueOf((long) rounded)
        : String.format(Locale.ROOT, "%.1f", rounded);
  }

  static String escape(String plain) {
    return plain
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
