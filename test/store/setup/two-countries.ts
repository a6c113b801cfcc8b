import type { Clarification } from '../../../src/domain/clarification.ts'

/** A question back with two options. */
export const twoCountries: Clarification = {
  question: 'Which country?',
  options: [
    { label: 'of billing', hint: '5 rows', candidateIds: ['1-a'] },
    { label: 'of shipping', hint: '', candidateIds: ['1-b', '1-c'] },
  ],
  defaultOption: 1,
}
