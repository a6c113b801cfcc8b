import { type Interpretation, MOST_WITHOUT_A_WORD, type ParseQuestion } from '../domain/interpretation.ts'
import type { AnswerMeaning, ReadQuestion } from '../domain/metrics/metric-reading.ts'
import { leavesOutWeight } from '../lib/lexicon/light-words.ts'
import { findMeantPhrases } from './ask/meant-phrases.ts'
import { bareStatement, isDoubtful, mostWithoutWords } from './doubt-statement.ts'
import { prepareLayer, readMetricQuestion } from './read-metric-question.ts'
import { weighReadings } from './weigh-readings.ts'

/** A reading by the layer with a chance below this says nothing about the parser's. */
const UNLIKELY = 0.25

/** The least chance that a leading reading is given if it leaves out no word. */
const LEAST_OF_WHOLE = 0.3

/** What is left of the odds of a statement by the parser that cannot be meant. */
const DOUBTED = 0.3

/** How fast the chance of a reading falls with its distance from the best, in points of their scores. */
const RIVAL_DECAY = 6

/**
 * Makes the reader of questions without a model: by the semantic layer, and by tables and columns. The readings are
 * rivals of one witness; where the same rows come of several, their probabilities add up, up to 1 in all.
 */
export const makeReadQuestion =
  (parse: ParseQuestion): ReadQuestion =>
  ({ understanding, database }) => {
    const { catalog, findValues } = database
    const { text } = understanding
    const prepared = prepareLayer(database)
    const measured = readMetricQuestion({ understanding, database })
    // Only where the layer reads every word does it know better than the parser which figure is meant.
    const phrases = measured[0]?.unused.length === 0 ? findMeantPhrases(text, database) : []
    const doubtful = new Set<string>()
    const parsed = parse({ understanding, catalog, findValues })
      .map(reading => {
        if (!isDoubtful(reading.sql, { text, measured, phrases, prepared, dialect: catalog.dialect }))
          return reading
        doubtful.add(reading.sql)
        return { ...reading, confidence: reading.confidence * DOUBTED }
      })
      .toSorted((a, b) => b.confidence - a.confidence)
    const [best] = measured
    if (best === undefined) return parsed
    const [first] = parsed
    const odds = weighReadings(
      best.features,
      first ? { confidence: first.confidence, unused: first.unused.length, sql: first.sql } : null,
    )
    // A figure for another question is worse than none: a word that was left out keeps a reading from being sure.
    const ignoresMore = best.unused.length > (first?.unused.length ?? Number.POSITIVE_INFINITY)
    const most = leavesOutWeight(best.unused)
      ? Math.min(mostWithoutWords(text, best), odds.metric)
      : odds.metric
    const lead = ignoresMore ? Math.min(most, odds.parser / 2) : most
    // Where the layer has nothing to say, the parser knows best how sure it is.
    const parserOdds = lead < UNLIKELY ? Math.max(odds.parser, first?.confidence ?? 0) : odds.parser
    const own =
      first && leavesOutWeight(first.unused)
        ? Math.min(mostWithoutWords(text, first), parserOdds)
        : parserOdds
    const readings: readonly Reading[] = [
      ...measured.map((reading, rank) => ({
        ...reading,
        // A reading that is nearly as good has nearly the same chance.
        confidence: rank === 0 ? lead : lead * Math.exp(RIVAL_DECAY * (reading.score - best.score)),
      })),
      ...parsed.map(reading => ({
        ...reading,
        confidence: first && first.confidence > 0 ? (reading.confidence / first.confidence) * own : 0,
      })),
    ]
    const [leader, ...others] = foldTwins(readings, text).toSorted((a, b) => b.confidence - a.confidence)
    if (leader === undefined) return []
    // A reading that uses every word is shown, with a word of caution, rather than refused, unless it cannot be meant.
    const isWhole = leader.unused.length === 0 && !doubtful.has(leader.sql)
    return [
      { ...leader, confidence: isWhole ? Math.max(leader.confidence, LEAST_OF_WHOLE) : leader.confidence },
      ...others,
    ]
  }

/** What both leave out has no part in the statement; nor has what changes all, though one of them takes it for something. */
const highestTwinConfidence = (twin: Reading, other: Reading, text: string): number => {
  if (!leavesOutWeight(twin.unused)) return 1
  const most = mostWithoutWords(text, twin)
  return leavesOutWeight(other.unused) || most < MOST_WITHOUT_A_WORD ? most : 1
}

type Reading = Interpretation & { readonly meaning?: AnswerMeaning }

/**
 * Readings of the layer and of the parser that are the same query but for names and order, as one: with the chance of
 * both, the meaning of the first, and what the second tells of the words it had to choose for. Otherwise one of two
 * equal readings is run twice and the other once, and leads by that alone.
 */
const foldTwins = (readings: readonly Reading[], text: string): readonly Reading[] => {
  const folded = new Map<string, Reading>()
  for (const reading of readings) {
    const key = bareStatement(reading.sql)
    const twin = folded.get(key)
    if (twin === undefined) folded.set(key, reading)
    else if (twin.meaning === undefined || reading.meaning !== undefined)
      folded.set(`${key}\n${folded.size}`, reading)
    else
      folded.set(key, {
        ...twin,
        confidence: Math.min(
          highestTwinConfidence(twin, reading, text),
          twin.confidence + reading.confidence,
        ),
        decisions: twin.decisions.length > 0 ? twin.decisions : reading.decisions,
      })
  }
  return [...folded.values()]
}
