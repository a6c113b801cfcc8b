import { clarificationText } from '../domain/answer-wording/clarifications.ts'
import type { Candidate, ExecutionGroup } from '../domain/candidate.ts'
import type { Clarification } from '../domain/clarification.ts'
import { foldText } from '../lib/fold-text.ts'
import { isGroupedBy } from './clarification-topic.ts'

/** What models say of a question that has several meanings to them. */
export interface NamedAmbiguity {
  /** The share of their drafts that say so. */
  readonly share: number
  /** False if one draft alone says so and a sure interpretation of every word says what is meant. */
  readonly isHeard: boolean
}

/** So many drafts that say so are believed, whatever share of all they are. */
const ENOUGH = 2

/** How sure an interpretation without a model must be to outweigh one model that finds the question ambiguous. */
const CONFIDENT = 0.8

/**
 * What the drafts of models say of the meanings of a question; null if too few say that it has several, which is less
 * than half of them and less than two. `cannotAnswer` counts the drafts that say the schema has no answer.
 */
export const findNamedAmbiguity = (
  candidates: readonly Candidate[],
  { attempt, cannotAnswer }: { readonly attempt: number; readonly cannotAnswer: number },
): NamedAmbiguity | null => {
  const current = candidates.filter(({ origin }) => origin.attempt === attempt)
  const saying = countDrafts(current.filter(({ named }) => named !== undefined))
  if (saying === 0) return null
  // Paths that ask no model say which words they leave unused.
  const all = countDrafts(current.filter(({ unused }) => unused === null)) + cannotAnswer
  if (saying < ENOUGH && saying * 2 <= all) return null
  const isRead = current.some(
    ({ unused, prior, run }) =>
      unused !== null && unused.length === 0 && prior >= CONFIDENT && run?.status === 'ran',
  )
  return { share: saying / all, isHeard: saying >= ENOUGH || !isRead }
}

/** One draft may have a statement for each meaning. */
const countDrafts = (candidates: readonly Candidate[]): number =>
  new Set(candidates.map(({ path, origin: { round, sample } }) => JSON.stringify([path, round, sample]))).size

/**
 * The question back in the words of the models: the results that their meanings have, each under the label that most
 * drafts give it. Null if the results are the same, if labels do not tell them apart, or if the leader is none of them.
 */
export const askNamedMeanings = (
  groups: readonly ExecutionGroup[],
  given: {
    readonly question: string
    readonly candidates: readonly Candidate[]
    readonly mostOptions: number
    readonly hintOf: (candidate: Candidate) => string
  },
): { readonly clarification: Clarification; readonly blocks: readonly (readonly number[])[] } | null => {
  const byId = new Map(given.candidates.map(candidate => [candidate.id, candidate]))
  const taken = new Set<string>()
  const options = groups.flatMap((group, at) => {
    const members = group.candidateIds.flatMap(id => byId.get(id) ?? [])
    const label = mostFrequent(members.flatMap(({ named }) => named?.label ?? [])).find(
      one => !taken.has(foldText(one)),
    )
    const shown = byId.get(group.representativeId)
    if (label === undefined || shown === undefined) return []
    taken.add(foldText(label))
    return [{ at, label, shown, candidateIds: group.candidateIds }]
  })
  const offered = options.slice(0, given.mostOptions)
  if (offered.length < 2 || offered[0]?.at !== 0) return null
  const unclear = mostFrequent(given.candidates.flatMap(({ named }) => named?.unclear ?? []))
  const phrase = unclear.flatMap(words => asQuoted(words, given.question) ?? [])[0] ?? null
  const clarification = {
    question: clarificationText(
      phrase === null
        ? { kind: 'part', part: null }
        : { kind: 'phrase', phrase, isGroup: isGroupedBy(phrase, given.question) },
    ),
    options: offered.map(({ label, shown, candidateIds }) => ({
      label,
      hint: given.hintOf(shown),
      candidateIds,
      means: { phrase, meaning: label, sql: null, columns: [] },
    })),
    defaultOption: 0,
  }
  return { clarification, blocks: offered.map(({ at }) => [at]) }
}

/** Texts without repetitions, the most frequent first; equal ones in the order in which they came. */
const mostFrequent = (texts: readonly string[]): readonly string[] =>
  [...Map.groupBy(texts, foldText).values()]
    .toSorted((a, b) => b.length - a.length)
    .flatMap(([text]) => text ?? [])

/** Words that lead up to what is unclear. */
const leadingWords = /^(?:(?:by|per|each|for|the|of|in)\s+)+/i

/** The unclear words as the question has them; null if it does not have them, or if they are all of it. */
const asQuoted = (words: string, question: string): string | null => {
  const wanted = words
    .replace(/^["'“”‘’]+|["'“”‘’?.!]+$/g, '')
    .replace(leadingWords, '')
    .trim()
  const at = wanted === '' ? -1 : question.toLowerCase().indexOf(wanted.toLowerCase())
  if (at < 0 || wanted.length >= question.trim().replace(/[?.!]+$/, '').length) return null
  const isWhole =
    !/[\p{L}\p{N}]/u.test(question[at - 1] ?? '') && !/[\p{L}\p{N}]/u.test(question[at + wanted.length] ?? '')
  return isWhole ? question.slice(at, at + wanted.length) : null
}
