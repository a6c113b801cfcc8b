/** At most `most` characters, the last an ellipsis where text was cut. Never splits a surrogate pair. */
export const truncateText = (text: string, most: number): string => {
  if (text.length <= most) return text
  const end = most - 1
  const splitsPair = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '')
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`
}
