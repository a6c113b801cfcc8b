import type { AnswerAlternative } from '../../src/domain/answer.ts'
import { assumptionText } from '../../src/domain/answer-wording/assumptions.ts'
import type { Candidate, ExecutionGroup } from '../../src/domain/candidate.ts'
import type {
  Clarification,
  ClarificationOption,
  ClarificationReply,
} from '../../src/domain/clarification.ts'
import { foldText } from '../../src/lib/fold-text.ts'
import { withoutEmoji } from '../../src/lib/small-talk.ts'
import { yesOrNo } from './expensive/run-approval.ts'
import type { State } from './state.ts'

/** A choice settles which reading was meant, not that the reading is right: it leaves at least this much doubt. */
export const MOST_PROBABLE_AFTER_CHOICE = 0.95

const MOST_ALTERNATIVES = 3

/** The option that the reply took; null without one. */
export const chosenOption = ({
  reply,
  clarification,
}: Pick<State, 'reply' | 'clarification'>): ClarificationOption | null =>
  reply?.kind === 'option' ? (clarification?.options[reply.number - 1] ?? null) : null

/** The groups that an option keeps. */
export const groupsOfOption = (
  option: ClarificationOption,
  groups: readonly ExecutionGroup[],
): readonly ExecutionGroup[] =>
  groups.filter(group => group.candidateIds.some(id => option.candidateIds.includes(id)))

/** After a choice only the groups of that option remain. They share the probability of all options. */
export const chosenGroups = (
  state: Pick<State, 'reply' | 'clarification' | 'groups'>,
): readonly ExecutionGroup[] => {
  const option = chosenOption(state)
  if (option === null || !state.clarification) return state.groups
  const kept = groupsOfOption(option, state.groups)
  const asked = new Set(state.clarification.options.flatMap(one => groupsOfOption(one, state.groups)))
  const mass = Math.min(MOST_PROBABLE_AFTER_CHOICE, sumOf([...asked]))
  const own = sumOf(kept)
  return kept.map(group => ({ ...group, score: own > 0 ? (group.score / own) * mass : group.score }))
}

const sumOf = (groups: readonly ExecutionGroup[]): number =>
  groups.reduce((sum, group) => sum + group.score, 0)

/**
 * What an answer tells of a question back, asked or not: the options beside the one that it took, and the one it took
 * as an assumption if nobody chose it and it can be said.
 */
export const alternativesOf = (
  clarification: Clarification | null,
  {
    winner,
    groups,
    taken,
  }: {
    readonly winner: Candidate
    readonly groups: readonly ExecutionGroup[]
    readonly taken: ClarificationOption | null
  },
): { readonly alternatives: readonly AnswerAlternative[]; readonly assumption: string | null } => {
  const options = clarification?.options ?? []
  const own = taken ?? options.find(option => option.candidateIds.includes(winner.id)) ?? null
  const alternatives = options
    .filter(option => option !== own)
    .flatMap((option): readonly AnswerAlternative[] => {
      const [group] = groupsOfOption(option, groups)
      return group === undefined
        ? []
        : [{ label: option.label, hint: option.hint, candidateId: group.representativeId }]
    })
    .slice(0, MOST_ALTERNATIVES)
  const isStated = own !== null && statesMeaning(winner, own)
  return { alternatives, assumption: taken || own === null || isStated ? null : formatAssumption(own) }
}

/** Whether the answer's assumptions already mention what an option is about: nothing is said twice. */
const statesMeaning = ({ assumptions }: Candidate, { means }: ClarificationOption): boolean =>
  [means?.phrase ?? '', (means?.meaning ?? '').replace(/ of the .*$/, '')]
    .map(foldText)
    .some(words => words !== '' && assumptions.some(assumption => foldText(assumption).includes(words)))

/** Null for an option that is labeled by its result: the answer shows that result. */
const formatAssumption = ({ label, means }: ClarificationOption): string | null => {
  if (means === undefined) return null
  return assumptionText({ kind: 'meaning', phrase: means.phrase, meaning: label })
}

/** The number of the option (from 1) that a reply takes, clicked or in words; null if its words say something else. */
export const matchReply = (
  reply: ClarificationReply,
  clarification: Pick<Clarification, 'options'>,
): number | null =>
  reply.kind === 'option'
    ? reply.number
    : (yesOrNo(reply.text, clarification) ?? matchOption(reply.text, clarification))

/** Words that say nothing of which option is meant. */
const fillers = new Set(
  'a an and as at by for i in is it its just mean meant of ok one option number please take that the them this to want with yes'.split(
    ' ',
  ),
)

const ordinals: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4 }

/**
 * The number of the option (from 1) that typed words clearly name: its number, or words of its label that no other
 * option has. Null for everything else, also where the words say more than a label does: that is a reply of its own.
 */
export const matchOption = (reply: string, { options }: Pick<Clarification, 'options'>): number | null => {
  // `:+1:` agrees and is no number.
  const words = wordsOf(withoutEmoji(reply))
  const labels = options.map(option => new Set(wordsOf(option.label)))
  const exact = options.findIndex(option => wordsOf(option.label).join(' ') === words.join(' '))
  if (exact >= 0) return exact + 1
  const told = words.filter(word => !fillers.has(word))
  const [only] = told
  if (told.length === 1 && only !== undefined && !labels.some(label => label.has(only))) {
    const typed = ordinals[only] ?? (/^\d+$/.test(only) ? Number(only) : 0)
    if (options[typed - 1]) return typed
  }
  if (told.length === 0) return null
  const meant = labels.flatMap((label, at) => (told.every(word => label.has(word)) ? [at + 1] : []))
  return meant.length === 1 ? (meant[0] ?? null) : null
}

const wordsOf = (text: string): readonly string[] => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []
