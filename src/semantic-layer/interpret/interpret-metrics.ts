import type { Catalog } from '../../domain/catalog.ts'
import type { MetricQuery } from '../../domain/metrics/metric-query.ts'
import type { SemanticLayer, SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import type { FindValues, Understanding } from '../../domain/question-context.ts'
import { tokenize } from '../../parser/tokenize.ts'
import { findPath, indexLayer, type LayerIndex } from '../compile/layer-index.ts'
import { draftQuery } from './draft/draft-query.ts'
import type { QueryDraft } from './draft/query-draft.ts'
import { findSpans } from './find-spans.ts'
import { finishQuery } from './finish/finish-query.ts'
import { hasTimeOfDay, isOfOrBy, rowCountOf } from './finish/layer-facts.ts'
import { findSequences, type Sequence } from './sequences.ts'
import { makeVocabulary, type Vocabulary } from './vocabulary.ts'

/** One way to take a question as a metric query. */
export interface MetricInterpretation {
  readonly query: MetricQuery
  readonly score: number
  /** Words with a meaning of their own that it does not use, as written. */
  readonly unused: readonly string[]
  /** Misspelled words, and what they were taken for. */
  readonly corrected: readonly { readonly from: string; readonly to: string }[]
  readonly isYesNo: boolean
  /** It takes the name of a metric that the layer defines for another metric. */
  readonly isRival: boolean
  /** False if the figure only ranks ("which product sold most"): nobody asked to see it. */
  readonly figureIsAsked: boolean
  /** What its probability of being right is estimated from. */
  readonly evidence: ReadingEvidence
}

/** How well a reading fits its question. */
export interface ReadingEvidence {
  /** Mean quality of its terms, from 0 to 1. */
  readonly quality: number
  /** Quality of its weakest term with a meaning. */
  readonly weakest: number
  /** What spoke against it when its parts were put together; 0 or less, or more if they fit well. */
  readonly fit: number
  /** Rows are asked for before what to show of them. */
  readonly namesRows: boolean
}

/** Reads a question as metric queries, best first. Pure and in memory. */
export type InterpretMetrics = (input: {
  readonly understanding: Understanding
  readonly findValues: FindValues
}) => readonly MetricInterpretation[]

/** Words cut into terms, and what they say when they are read from left to right. */
export interface WordReading {
  readonly sequence: Sequence
  readonly draft: QueryDraft
}

/** Reads words, best cut first. `about` is the model that was asked about before them. */
export type ReadWords = (
  said: Pick<Understanding, 'text' | 'spans'>,
  findValues: FindValues,
  about?: SemanticModel | null,
) => readonly WordReading[]

/** The reader of one layer: of whole questions, and of words that change one. */
export interface MetricReader {
  readonly index: LayerIndex
  readonly vocabulary: Vocabulary
  readonly interpret: InterpretMetrics
  readonly readWords: ReadWords
}

/** How questions begin that want a yes or no. */
export const yesNoPattern =
  /^(?:did|do we|do any|does any|is there|are there|was there|were there|has any(?:body|one)?|have any|have we|has some(?:body|one)|any)\b/i

/** "Any artists without an album? Which?" wants their names. */
const whichPattern = /\bwhich(?: ones?)?\s*[?.]*$/i

/** Makes the reader of one layer. */
export const makeMetricReader = (layer: SemanticLayer, catalog: Catalog): MetricReader => {
  const index = indexLayer(layer, catalog)
  const vocabulary = makeVocabulary(layer)
  const pathOf = (from: string, to: string) => findPath(index, from, to)
  const reach = {
    reachesOne: (from: string, to: string) => pathOf(from, to)?.every(step => step.isToOne) === true,
    reaches: (from: string, to: string) => pathOf(from, to) !== null,
    isOfOrBy: (events: SemanticModel, of: SemanticModel) => isOfOrBy(events, of, { index }),
    modelNamed: (name: string) => index.models.get(name)?.model ?? null,
    mainFigure: (model: SemanticModel) =>
      layer.metrics.find(
        metric =>
          metric.kind === 'simple' && metric.model === model.name && metric.expression?.kind === 'column',
      ) ?? null,
    activityOf: (model: SemanticModel) =>
      layer.models
        .filter(other => other.joins.some(({ to }) => to === model.name) && other.name !== model.name)
        .toSorted((a, b) => rowCountOf(a, { index }) - rowCountOf(b, { index }))[0] ?? null,
    visitsOf: (model: SemanticModel) =>
      layer.models
        .filter(other => other.timeDimension !== null && other.joins.some(({ to }) => to === model.name))
        .toSorted(
          (a, b) =>
            Number(hasTimeOfDay(b)) - Number(hasTimeOfDay(a)) ||
            rowCountOf(b, { index }) - rowCountOf(a, { index }),
        )[0] ?? null,
  }
  const readWords: ReadWords = ({ text, spans: periods }, findValues, about = null) => {
    const tokens = tokenize(text)
    const spans = findSpans({ text, tokens, periods, layer, vocabulary, findValues })
    return findSequences(tokens, spans).map(sequence => ({
      sequence,
      draft: draftQuery(sequence.spans, reach, about),
    }))
  }
  const interpret: InterpretMetrics = ({ understanding, findValues }) => {
    const found = new Map<string, MetricInterpretation>()
    for (const sentence of sentencesOf(understanding)) readSentence(sentence)
    return [...found.values()].toSorted((a, b) => b.score - a.score)

    function readSentence(sentence: Pick<Understanding, 'text' | 'spans' | 'today'>): void {
      const { text, today } = sentence
      const isYesNo = yesNoPattern.test(text.trim()) && !whichPattern.test(understanding.text)
      for (const { sequence, draft } of readWords(sentence, findValues)) {
        const finished = finishQuery(draft, { index, layer, today, isYesNo })
        if (finished === null) continue
        const key = JSON.stringify(finished.query)
        const score = sequence.score + finished.score
        const known = found.get(key)
        if (known && known.score >= score) continue
        found.set(key, {
          query: finished.query,
          score,
          unused: [...sequence.skipped.map(token => token.text), ...finished.unusedCues],
          corrected: sequence.spans.flatMap(({ text: from, corrected }) =>
            corrected === undefined ? [] : [{ from, to: corrected }],
          ),
          isYesNo,
          isRival: sequence.spans.some(({ isRival }) => isRival === true),
          figureIsAsked: finished.figureIsAsked,
          evidence: evidenceOf(sequence, finished),
        })
      }
    }
  }
  return { index, vocabulary, interpret, readWords }
}

/** Up to a mark with a space behind it; "vs." ends no sentence. */
const sentencePattern =
  /(?:\b(?:vs|v|incl|excl|approx|dr|mr|mrs|ms|e\.g|i\.e)\.|[^.!?])+(?:[.!?](?!\s|$)(?:\b(?:vs|v)\.|[^.!?])*)*[.!?]*/gi

/** A question alone, or each sentence of a longer message: the question is one of them. */
const sentencesOf = ({
  text,
  spans,
  today,
}: Understanding): readonly Pick<Understanding, 'text' | 'spans' | 'today'>[] => {
  const parts = [...text.matchAll(sentencePattern)].map(match => ({
    text: match[0],
    at: match.index,
  }))
  const said = joinLists(parts.filter(part => /\p{L}{2}/u.test(part.text)))
  if (said.length < 2) return [{ text, spans, today }]
  return said.map(part => ({
    text: part.text,
    today,
    spans: spans
      .filter(({ at: [from, until] }) => from >= part.at && until <= part.at + part.text.length)
      .map(span => ({ ...span, at: [span.at[0] - part.at, span.at[1] - part.at] as const })),
  }))
}

/** A sentence of nothing but names: "tracking number, customer and due date", "patient and time". */
const listPattern =
  /^\s*(?:(?:please )?(?:list|show|give)(?: me)? |(?:just |only )?(?:the|their|its|with) )?(?!(?:how|what|which|who|when|where|why|is|are|do|does|did|i|we|and|or|but|need|by|for|in|this|that)\b)(?:[\p{L}\p{N}' -]+(?:,[\p{L}\p{N}' -]+)+|[\p{L}\p{N}'-]+(?: [\p{L}\p{N}'-]+)? and [\p{L}\p{N}'-]+(?: [\p{L}\p{N}'-]+)?)[.!]?\s*$/iu

/** A sentence, and where it begins. */
interface Sentence {
  readonly text: string
  readonly at: number
}

/** Sentences, with a list of what to show as a part of the one before. */
const joinLists = (parts: readonly Sentence[]): readonly Sentence[] => {
  const joined: Sentence[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last && listPattern.test(part.text))
      joined[joined.length - 1] = { ...last, text: last.text + part.text }
    else joined.push(part)
  }
  return joined
}

/** How well words fit what they were taken for. */
export const evidenceOf = (
  { spans }: Sequence,
  { score, namesRows }: { readonly score: number; readonly namesRows: boolean },
): ReadingEvidence => {
  const qualities = spans
    .filter(({ term }) => term.kind !== 'cue' && term.kind !== 'period')
    .map(({ quality }) => quality)
  return {
    quality: qualities.length > 0 ? qualities.reduce((sum, one) => sum + one, 0) / qualities.length : 0,
    weakest: Math.min(1, ...qualities),
    fit: score,
    namesRows,
  }
}
