import fc from 'fast-check'

const questionWords =
  `how many books members loans authors are there with more than 3 pages of by month last year genre
  crime "Nine Lanterns" Elmford not or and both between 10 20 oldest average total each per most without never names
  title age town sorted descending top 5 who have has since June 1999 ? , different list show returned unreturned
  at least containing district`.split(/\s+/)

/** Sentences of words that questions about the library are made of, in any order. */
export const sentences = fc
  .array(fc.constantFrom(...questionWords), { maxLength: 14 })
  .map(words => words.join(' '))
