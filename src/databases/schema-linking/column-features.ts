import type { LinkerColumn } from './catalog-description.ts'
import type { QuestionCues } from './match-words.ts'
import { hasPhrase, type QuestionMatch } from './table-features.ts'

const cueNames = [
  'count',
  'aggregate',
  'superlative',
  'comparison',
  'date',
  'naming',
  'each',
  'absence',
] as const

const kinds = ['key', 'foreign', 'number', 'date', 'text', 'label'] as const

export const columnFeatureNames: readonly string[] = [
  'cover',
  'exact',
  'phrase',
  'ownCover',
  'ownExact',
  'looseCover',
  'mass',
  'claim',
  'value',
  'valueExact',
  'valueShare',
  'first',
  'size',
  'table',
  'tableOdds',
  'coverInTable',
  'exactInTable',
  'claimInTable',
  'valueInTable',
  'bestOfTable',
  'behindBest',
  'keyBetween',
  'keyTarget',
  'referencedBetween',
  'referencedSource',
  'keyBetweenNamed',
  'twinLikelier',
  'twinLessLikely',
  'twinKey',
  'labelOfNamed',
  'nothingElse',
  ...kinds,
  ...kinds.map(kind => `${kind}InTable`),
  ...kinds.map(kind => `${kind}Cover`),
  ...kinds.flatMap(kind => cueNames.map(cue => `${kind}When_${cue}`)),
  ...kinds.flatMap(kind => cueNames.map(cue => `${kind}InTableWhen_${cue}`)),
]

/**
 * Writes the features of one column into `row`. `likely` and `odds` describe the tables after both passes over them.
 */
export const makeColumnFeatures = (
  seen: QuestionMatch,
  cues: QuestionCues,
  likely: Float64Array,
  odds: Float64Array,
) => {
  const { description, words, cover, ownCover, looseCover, value, valueShare, claim, tableExact } = seen
  const { vocabulary, rarity } = description
  const bestOwn = new Float64Array(description.tables.length)
  for (const { at, table } of description.columns)
    bestOwn[table.at] = Math.max(bestOwn[table.at]!, ownCover[at]!)
  const asked = cueNames.map(cue => (cues[cue] ? 1 : 0))
  const twins = twinsOf(seen, likely)

  return (known: LinkerColumn, row: Float64Array): void => {
    const { at, table } = known
    const p = likely[table.at]!
    const exact = known.words.every(word => words.exact[word] === 1) ? 1 : 0
    const ownExact = known.ownWords.every(word => words.exact[word] === 1) ? 1 : 0
    const mass = known.ownWords.reduce((sum, word) => sum + rarity[word]! * words.exact[word]!, 0)
    const target = maxOverColumns(
      known.leadsTo,
      other => (other.table === table ? 0.5 : 1) * likely[other.table.at]!,
    )
    const source = maxOverColumns(
      known.ledToBy,
      other => (other.table === table ? 0.5 : 1) * likely[other.table.at]!,
    )
    const named = maxOverColumns(known.leadsTo, other => tableExact[other.table.at]!)
    const twin = twins(known)
    const is = [
      known.isPrimary,
      known.leadsTo.length > 0,
      known.kind === 'number' && !known.isPrimary && known.leadsTo.length === 0,
      known.kind === 'date',
      known.kind === 'text',
      known.isLabel,
    ].map(Number)
    const values = [
      cover[at]!,
      exact,
      known.words.length > 1 && exact === 1 && hasPhrase(known.words, vocabulary, words) ? 1 : 0,
      ownCover[at]!,
      ownExact,
      looseCover[at]!,
      Math.min(8, mass) / 4,
      claim[at]!,
      value[at]!,
      value[at]! >= 0.999 ? 1 : 0,
      valueShare[at]!,
      table.columns[0] === known ? 1 : 0,
      Math.log(table.columns.length),
      p,
      odds[table.at]! / 4,
      p * cover[at]!,
      p * ownExact,
      p * claim[at]!,
      p * value[at]!,
      ownCover[at]! > 0 && ownCover[at] === bestOwn[table.at] ? p : 0,
      bestOwn[table.at]! - ownCover[at]!,
      p * target,
      target,
      p * source,
      source,
      p * named,
      Math.max(0, twin - p),
      Math.max(0, p - twin),
      known.leadsTo.length > 0 || known.ledToBy.length > 0 ? Math.max(0, twin - p) : 0,
      known.isLabel ? tableExact[table.at]! * p : 0,
      bestOwn[table.at] === 0 ? p : 0,
    ]
    let next = 0
    for (const one of values) row[next++] = one
    for (const one of is) row[next++] = one
    for (const one of is) row[next++] = one * p
    for (const one of is) row[next++] = one * ownCover[at]!
    for (const one of is) for (const cue of asked) row[next++] = one * cue
    for (const one of is) for (const cue of asked) row[next++] = one * cue * p
  }
}

const maxOverColumns = (columns: readonly LinkerColumn[], of: (column: LinkerColumn) => number): number => {
  let best = 0
  for (const column of columns) best = Math.max(best, of(column))
  return best
}

/** For each column, the probability of the likeliest other table that has a column with the same name. */
const twinsOf = (
  { description }: QuestionMatch,
  likely: Float64Array,
): ((column: LinkerColumn) => number) => {
  const bestTable = new Int32Array(description.names).fill(-1)
  const best = new Float64Array(description.names)
  const second = new Float64Array(description.names)
  for (const { nameAt, table } of description.columns) {
    const p = likely[table.at]!
    if (bestTable[nameAt] === -1 || p > best[nameAt]!) {
      second[nameAt] = best[nameAt]!
      best[nameAt] = p
      bestTable[nameAt] = table.at
    } else if (p > second[nameAt]!) second[nameAt] = p
  }
  return ({ nameAt, table }) => (bestTable[nameAt] === table.at ? second[nameAt]! : best[nameAt]!)
}
