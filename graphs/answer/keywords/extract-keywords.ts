import type { Keyword } from '../../../src/core/keyword.ts'
import { findForms } from './find-forms.ts'
import { findDates, findNumbers } from './find-numbers.ts'
import { capitalizedSpans, quotedSpans, wordSpans } from './find-spans.ts'
import { mergeKeywords } from './merge-keywords.ts'
import { questionWords } from './question-words.ts'

/** Spans of a question that are looked up: a lookup in a million values takes milliseconds. */
const MOST_SPANS = 240

/** Words of a question that are read. Whoever pastes a document asks about its beginning. */
const MOST_WORDS = 200

/**
 * Keywords of a question without any model (CHASE-SQL 3.2 asks a model for them): what stands in quotes, capitalised
 * runs, numbers and dates in the way databases write them, every run of up to six words that neither begins nor ends
 * with a function word, and other forms of all these. The more telling ones come first.
 */
export const extractKeywords = (text: string): readonly Keyword[] => {
  const words = questionWords(text).slice(0, MOST_WORDS)
  const spans = [...quotedSpans(text), ...capitalizedSpans(words), ...wordSpans(words, MOST_SPANS)]
  return mergeKeywords([...spans, ...findNumbers(words), ...findDates(words), ...findForms(spans)])
}
