import { z } from 'zod'
import trained from '../../../weights/answerability.json' with { type: 'json' }
import type { Catalog } from '../../domain/catalog.ts'
import type { RateFit } from '../../domain/interpretation.ts'
import { foldText } from '../../lib/fold-text.ts'
import { cuePhrases, functionWords } from '../lexicon.ts'
import { LONGEST_NAME_SPAN, matchSpan, matchTokens } from '../link/match-names.ts'
import { indexSchema } from '../schema/index-schema.ts'
import { tokenize } from '../tokenize.ts'
import { findUnknownTerms, makeWordStatus } from './find-unknown-terms.ts'

/** Made by `npm run bench:triage -- --out`; figures in docs/evaluation.md. */
const { weights } = z.looseObject({ weights: z.record(z.string(), z.number()) }).parse(trained)

/** Rates with the logistic model that ships. */
export const rateAnswerability: RateFit = (text, catalog, accounted) => {
  const measures = measureAnswerability(text, catalog, accounted)
  const logit = answerabilityFeatures.reduce(
    (sum, name, i) => sum + (weights[name] ?? 0) * (measures[i] ?? 0),
    0,
  )
  return 1 / (1 + Math.exp(-logit))
}

/** The features of a text and a database, in this order. Shares and counts are from 0 to 1. */
export const answerabilityFeatures = [
  'intercept',
  'namedShare',
  'unknownShare',
  'unknownThings',
  'columnsNamed',
  'bestColumn',
  'tableNamed',
  'opensAsCount',
  'opensAsWhich',
  'opensAsOrder',
  'opensAsReason',
  'opensAsVerb',
  'opensOtherwise',
  'speaksOfUs',
  'speaksOfSomebody',
  'cues',
  'numbers',
  'names',
  'short',
  'long',
] as const

const openings: readonly (readonly [string, RegExp])[] = [
  [
    'opensAsCount',
    /^(?:(?:in|on|at|for|of|to) )?how (?:many|much|often|long|old|tall|far)\b|^(?:count|number of|the number of|total)\b/,
  ],
  [
    'opensAsWhich',
    /^(?:(?:in|on|at|for|of|to|from|with|by) )?(?:what|which|who|whom|whose|when|where|name)\b/,
  ],
  [
    'opensAsOrder',
    /^(?:please )?(?:show|list|give|find|tell|return|get|display|compute|calculate|report|sort|order)\b/,
  ],
  ['opensAsReason', /^(?:why|how)\b/],
  ['opensAsVerb', /^(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should)\b/],
]

const firstOrSecondPerson = /\b(?:i|i'm|me|my|we|us|our|you|your|yours)\b/

const thirdPerson = /\b(?:he|she|his|her|him|hers|they|this|that|these|those|it)\b/

/** Measures how well a text fits the tables of a database. `accounted` are phrases that values match. */
export const measureAnswerability = (
  text: string,
  catalog: Catalog,
  accounted: readonly string[] = [],
): readonly number[] => {
  const tokens = tokenize(text)
  const schema = indexSchema(catalog)
  const statusOf = makeWordStatus(catalog, accounted)
  const statuses = tokens.map(statusOf).filter(one => one !== 'function')
  const share = (...wanted: readonly string[]): number =>
    statuses.length === 0 ? 0 : statuses.filter(one => wanted.includes(one)).length / statuses.length
  const matches = matchTokens(tokens, schema.stems)
  const coverages = schema.columns.map(column => {
    let best = 0
    for (let start = 0; start < tokens.length; start++) {
      for (let end = start + 1; end <= Math.min(tokens.length, start + LONGEST_NAME_SPAN); end++) {
        const match = matchSpan(tokens, matches, [start, end], column.words, [])
        if (match) best = Math.max(best, match.coverage * match.strength)
      }
    }
    return best
  })
  const folded = foldText(text).trim()
  const opening = openings.find(([, pattern]) => pattern.test(folded))?.[0] ?? 'opensOtherwise'
  const words = tokens.filter(token => token.kind === 'word')
  const cues = words.filter(token => cuePhrases.has(token.folded) && !functionWords.has(token.folded))
  const unknown = findUnknownTerms(text, catalog, accounted)
  const measured: Readonly<Record<(typeof answerabilityFeatures)[number], number>> = {
    intercept: 1,
    namedShare: share('named', 'described', 'value'),
    unknownShare: share('unknown'),
    unknownThings: Math.min(unknown.length, 4) / 4,
    columnsNamed: Math.min(coverages.filter(coverage => coverage > 0.85).length, 4) / 4,
    bestColumn: Math.max(0, ...coverages),
    tableNamed: schema.tables.some(table =>
      tokens.some(
        (_, start) => (matchSpan(tokens, matches, [start, start + 1], table.words, [])?.coverage ?? 0) > 0.85,
      ),
    )
      ? 1
      : 0,
    opensAsCount: Number(opening === 'opensAsCount'),
    opensAsWhich: Number(opening === 'opensAsWhich'),
    opensAsOrder: Number(opening === 'opensAsOrder'),
    opensAsReason: Number(opening === 'opensAsReason'),
    opensAsVerb: Number(opening === 'opensAsVerb'),
    opensOtherwise: Number(opening === 'opensOtherwise'),
    speaksOfUs: Number(firstOrSecondPerson.test(folded)),
    speaksOfSomebody: Number(thirdPerson.test(folded)),
    cues: Math.min(cues.length, 4) / 4,
    numbers: Math.min(tokens.filter(token => token.kind === 'number').length, 3) / 3,
    names: Number(
      words.slice(1).some(token => /^\p{Lu}/u.test(token.text)) ||
        tokens.some(token => token.kind === 'quoted'),
    ),
    short: Number(words.length <= 4),
    long: Math.min(words.length, 40) / 40,
  }
  return answerabilityFeatures.map(name => measured[name])
}
