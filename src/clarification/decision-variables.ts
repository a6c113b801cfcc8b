import type { Decision } from '../core/reading.ts'
import { type QueryPart, type Slot, slots } from './query-parts.ts'

/** What is known of one of the groups that may be asked about. */
export interface Contender {
  /** Of the SQL that stands for it; null where that cannot be read. */
  readonly parts: readonly QueryPart[] | null
  /** The semantic parser's, where one of its readings is in the group. */
  readonly decisions: readonly Decision[]
}

/** Something that the contenders decide differently. */
export interface DecisionVariable {
  readonly about:
    | { readonly kind: 'phrase'; readonly phrase: string; readonly decisionKind: Decision['kind'] }
    | { readonly kind: 'slot'; readonly slot: Slot }
    | { readonly kind: 'whole' }
  /** Places of the contenders by what they decide: the partition that it induces, in the order of the contenders. */
  readonly blocks: readonly (readonly number[])[]
}

/**
 * The variables on which contenders differ: each phrase that the parser's readings take differently, where all of them
 * are readings; each kind of part of their queries; and the whole, which tells every contender from every other.
 */
export const decisionVariables = (contenders: readonly Contender[]): readonly DecisionVariable[] => {
  if (contenders.length < 2) return []
  const whole: DecisionVariable = {
    about: { kind: 'whole' },
    blocks: contenders.map((_, at) => [at]),
  }
  return [...phraseVariables(contenders), ...slotVariables(contenders), whole]
}

const phraseVariables = (contenders: readonly Contender[]): readonly DecisionVariable[] => {
  const [leader] = contenders
  return (leader?.decisions ?? []).flatMap(({ phrase, kind }) => {
    const choices = contenders.map(
      ({ decisions }) => decisions.find(one => one.phrase === phrase && one.kind === kind)?.choice ?? null,
    )
    if (choices.includes(null)) return []
    const blocks = partition(choices as readonly string[])
    return blocks.length < 2
      ? []
      : [{ about: { kind: 'phrase' as const, phrase, decisionKind: kind }, blocks }]
  })
}

const slotVariables = (contenders: readonly Contender[]): readonly DecisionVariable[] => {
  const parts = contenders.map(contender => contender.parts)
  if (parts.includes(null)) return []
  return slots.flatMap(slot => {
    const blocks = partition(parts.map(own => slotKey(own ?? [], slot)))
    return blocks.length < 2 ? [] : [{ about: { kind: 'slot' as const, slot }, blocks }]
  })
}

const slotKey = (parts: readonly QueryPart[], slot: Slot): string =>
  parts
    .filter(part => part.slot === slot)
    .map(({ key }) => key)
    .sort()
    .join('\n')

/** Places of equal choices together, blocks in the order of their first places. */
export const partition = (choices: readonly string[]): readonly (readonly number[])[] => [
  ...Map.groupBy(choices.keys(), at => choices[at] ?? '').values(),
]
