const range = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))

/** Format characters by their numbers, and not by the properties that the code asks for: it could ask for too few. */
export const invisibleCharacters: readonly string[] = [
  // Tags, which spell ASCII; further selectors, which can carry a byte each.
  ...range(0xe0000, 0xe007f),
  ...range(0xe0100, 0xe01ef),
  // Marks of direction.
  ...['\u061c', '\u200e', '\u200f', ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)],
  // Zero-width and soft ones.
  ...['\u00ad', '\u034f', '\u180e', '\u200b', '\u200c', '\u200d', '\ufeff'],
  ...[...range(0x2060, 0x2064), ...range(0x206a, 0x206f), ...range(0xfff9, 0xfffb)],
  // Fillers, selectors, and what shapes notes and shorthand.
  ...['\u115f', '\u1160', '\u17b4', '\u17b5', '\u3164', '\uffa0'],
  ...[
    ...range(0x180b, 0x180d),
    ...range(0xfe00, 0xfe0f),
    ...range(0x1bca0, 0x1bca3),
    ...range(0x1d173, 0x1d17a),
  ],
]

/** Which of them a text has, as numbers: nobody could read them in the message of a failed test. */
export const invisibleIn = (text: string): readonly string[] =>
  [...new Set(text)]
    .filter(sign => all.has(sign))
    .map(sign => `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}`)

const all: ReadonlySet<string> = new Set(invisibleCharacters)
