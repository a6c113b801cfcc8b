import type { Contender } from './decision-variables.ts'
import { type QueryPart, type Slot, slots } from './query-parts.ts'
import type { PhraseOptions } from './say-expression.ts'

/** As long as a button may be. */
export const LONGEST_LABEL = 75
const MOST_PHRASES = 3

type Blocks = readonly (readonly number[])[]

/** One way to tell blocks apart in words, a label a block. */
export type LabelBlocks = (contenders: readonly Contender[], blocks: Blocks) => readonly string[]

/** What the parser's readings took a phrase for; empty labels where not all of them are readings. */
export const labelByDecisions: LabelBlocks = (contenders, blocks) => {
  const [leader] = contenders
  const told = (leader?.decisions ?? []).flatMap(({ phrase, kind }) => {
    const own = contenders.map(({ decisions }) =>
      decisions.find(one => one.phrase === phrase && one.kind === kind),
    )
    if (own.includes(undefined)) return []
    const choices = blocks.map(block => new Set(block.map(at => own[at]?.choice ?? '')))
    const constant = choices.every(choice => choice.size === 1)
    const varies = new Set(choices.flatMap(choice => [...choice])).size > 1
    return constant && varies ? [blocks.map(block => own[block[0] ?? 0]?.label ?? '')] : []
  })
  return blocks.map((_, at) => joinPhrases(told.map(labels => labels[at] ?? '')))
}

/** What the queries of a block have in common and others lack, or lack and others have. */
export const makeLabelByParts =
  (options: { readonly saying: PhraseOptions; readonly without: readonly Slot[] }): LabelBlocks =>
  (contenders, blocks) => {
    const read = contenders.map(({ parts }) => parts ?? [])
    if (contenders.some(({ parts }) => parts === null)) return blocks.map(() => '')
    const told = slots.filter(slot => !options.without.includes(slot))
    const shared = blocks.map(block => commonParts(block.map(at => read[at] ?? [])))
    return shared.map((own, at) => {
      const others = shared.filter((_, other) => other !== at).flat()
      return joinPhrases(told.flatMap(slot => describeDifference(slot, own, { shared, others, ...options })))
    })
  }

const commonParts = (lists: readonly (readonly QueryPart[])[]): readonly QueryPart[] => {
  const [first = [], ...rest] = lists
  return first.filter(part => rest.every(list => has(list, part)))
}

const has = (parts: readonly QueryPart[], { slot, key }: QueryPart): boolean =>
  parts.some(part => part.slot === slot && part.key === key)

const describeDifference = (
  slot: Slot,
  own: readonly QueryPart[],
  {
    shared,
    others,
    saying,
  }: {
    readonly shared: readonly (readonly QueryPart[])[]
    readonly others: readonly QueryPart[]
    readonly saying: PhraseOptions
  },
): readonly string[] => {
  const inAll = (part: QueryPart): boolean => shared.every(parts => has(parts, part))
  const mine = own.filter(part => part.slot === slot && !inAll(part))
  if (mine.length > 0) return mine.map(part => part.say(saying))
  const lacking = others.find(part => part.slot === slot && !inAll(part) && !has(own, part))
  return lacking === undefined ? [] : [lacking.sayWithout(saying)]
}

/** As many phrases as fit on a button, the first of them cut where it alone does not. */
export const joinPhrases = (phrases: readonly string[]): string => {
  let label = ''
  for (const phrase of [...new Set(phrases)].filter(phrase => phrase !== '').slice(0, MOST_PHRASES)) {
    const longer = label === '' ? phrase : `${label}, ${phrase}`
    if (longer.length > LONGEST_LABEL) return label === '' ? `${phrase.slice(0, LONGEST_LABEL - 1)}…` : label
    label = longer
  }
  return label
}
