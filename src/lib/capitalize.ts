/** A text with its first letter as a capital: `Orders` of `orders`. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
