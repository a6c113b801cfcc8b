import type { Understanding } from '../../../src/core/understanding.ts'

/**
 * A question as one text that is the same for all who ask the same: spaces, case and what ends a sentence do not count,
 * while the days that its periods mean do. Words written in capitals stay as they are: IT is not it, and US is not us.
 */
export const normalizeQuestion = ({ text, spans, today, timeZone }: Understanding): string => {
  const words = text
    .normalize('NFKC')
    .split(/\s+/)
    .filter(word => word !== '')
    .map((word, i) => (isCapitals(word, i === 0 ? 2 : 1) ? word : word.toLowerCase()))
    .join(' ')
    .replace(/[\s?!.]+$/, '')
  return JSON.stringify([words, spans.map(({ from, until }) => [from, until]), today, timeZone])
}

/** A sentence may begin with a capital letter that stands alone; anywhere else one is a name, as in "class A". */
const isCapitals = (word: string, atLeast: number): boolean => {
  const letters = word.replaceAll(/[^\p{L}]/gu, '')
  return letters.length >= atLeast && letters === letters.toUpperCase()
}
