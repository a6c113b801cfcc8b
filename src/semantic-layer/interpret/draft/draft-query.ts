import type { SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { toSingular } from '../../../lib/stem-word.ts'
import { type Cue, isCue, type TermSpan } from '../terms.ts'
import { emptyDraft, type QueryDraft, wordsAt } from './query-draft.ts'
import { readEvent, readNumber, readPeriod, readSegment, readValue } from './read-conditions.ts'
import { readCue } from './read-cue.ts'
import { readDimension, readMetric, readModel, readRole } from './read-names.ts'
import { type DraftInput, type Reading, startReading } from './reading.ts'

/**
 * Reads terms from left to right: what is asked for, grouped by, filtered by, compared. `about` is the model that was asked
 * about before them, if they are no question of their own.
 */
export const draftQuery = (
  spans: readonly TermSpan[],
  input: DraftInput,
  about: SemanticModel | null = null,
): QueryDraft => {
  const content = spans.filter(({ term }) => !isCue(term, 'filler'))
  const draft = emptyDraft(
    spans.map(({ text }) => text).join(' '),
    new Map(spans.map(({ text, at }) => [at[0], text])),
  )
  if (about !== null) draft.models.push({ model: about, at: -1, role: 'subject' })
  const reading = startReading(draft, content, input)
  for (const [index, span] of content.entries()) readTerm(reading, span, index)
  finishNumbers(reading)
  draft.wantsCount = reading.waiting.count
  draft.lostNot = reading.waiting.not ? lastCue(content, 'not') : null
  for (const rank of draft.ranks) rank.isPlural = isPluralAt(rank, content)
  return draft
}

const readTerm = (reading: Reading, { term, text, at: [at] }: TermSpan, index: number): void => {
  const place = { text, at, index }
  switch (term.kind) {
    case 'cue':
      readCue(reading, { term, ...place })
      break
    case 'number':
      readNumber(reading, { term, ...place })
      break
    case 'period':
      readPeriod(reading, { term, ...place })
      break
    case 'value':
      readValue(reading, { term, ...place })
      break
    case 'segment':
      readSegment(reading, { term, ...place })
      break
    case 'model':
      readModel(reading, { term, ...place })
      break
    case 'metric':
      readMetric(reading, { term, ...place })
      break
    case 'dimension':
      readDimension(reading, { term, ...place })
      break
    case 'event':
      readEvent(reading, { term, ...place })
      break
    case 'role':
      readRole(reading, { term, ...place })
      break
    default: {
      term satisfies never
    }
  }
}

/** The words of the last cue of some kinds. */
const lastCue = (content: readonly TermSpan[], ...kinds: readonly Cue['kind'][]): string | null =>
  content.findLast(({ term }) => isCue(term, ...kinds))?.text ?? null

/** What a number without an object speaks against. */
const LEFT_NUMBER = 1

/** A number before "largest" says how many; one that nothing is compared with was not understood. */
const finishNumbers = ({ draft, waiting, content }: Reading): void => {
  const { number, operator, condition } = waiting
  const [rank] = draft.ranks
  if (number !== null && rank?.count === null) rank.count = number.value
  const isUsed = number === null || draft.ranks.some(({ count }) => count === number.value)
  draft.unusedNumber = isUsed || number === null ? null : wordsAt(draft, number.at, String(number.value))
  draft.halfSaid =
    operator !== null && draft.thanRole === null ? lastCue(content, 'operator', 'comparative') : null
  if (operator !== null || condition !== null || !isUsed) draft.score -= LEFT_NUMBER
}

/** Whether the noun that is ranked stands in the plural: the one behind the word, or before "the most". */
const isPluralAt = (rank: QueryDraft['ranks'][number], content: readonly TermSpan[]): boolean => {
  const nouns = content.filter(
    ({ term }) => term.kind === 'model' || term.kind === 'dimension' || isCue(term, 'part', 'grain'),
  )
  // "Which hotel resolves requests fastest".
  const which = content.find(({ text }) => /^(?:which|what)$/i.test(text))
  const asked = rank.isMost ? undefined : nouns.find(({ at }) => which && at[0] === which.at[1])
  // Of "main return reasons", the reasons.
  const first = nouns.findIndex(({ at }) => at[0] > rank.at)
  const next = nouns[first + 1]
  const isPair = next?.term.kind !== 'cue' && next?.at[0] === nouns[first]?.at[1]
  const behind = nouns[isPair ? first + 1 : first]
  const ahead = nouns.findLast(({ at }) => at[0] < rank.at)
  const noun = asked ?? (rank.isMost ? (ahead ?? behind) : (behind ?? ahead))
  const word = noun?.text.split(/\s+/).at(-1)?.toLowerCase() ?? ''
  return toSingular(word) !== word
}
