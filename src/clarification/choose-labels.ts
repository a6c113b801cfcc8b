import type { Catalog } from '../core/catalog.ts'
import type { ResultHead } from '../core/result-head.ts'
import { joinPhrases, type LabelBlocks, labelByDecisions, makeLabelByParts } from './label-blocks.ts'
import type { KnownContender } from './make-contenders.ts'
import { formatResult } from './say-result.ts'

/** A statement in plain words, to tell choices apart that no single difference does; null where it cannot be read. */
export type DescribeStatement = (sql: string, catalog: Catalog) => string | null

/** One option to be: the contenders in it, the likeliest first, and what it is called. */
export interface LabelledBlock {
  readonly block: readonly number[]
  readonly label: string
  /** The label is the result itself. */
  readonly isResult: boolean
}

/** Ways to say what a choice is by its query, the shortest first. */
const byQuery: readonly LabelBlocks[] = [
  labelByDecisions,
  makeLabelByParts({ saying: { tables: false }, without: ['table', 'link'] }),
  makeLabelByParts({ saying: { tables: true }, without: ['table', 'link'] }),
  makeLabelByParts({ saying: { tables: true }, without: [] }),
]

/**
 * Says what each block of a partition is, in the first way that tells all of them apart: by what differs, by the whole
 * statement in words, by the result. Where none does, the way that tells most apart is taken, and blocks that are
 * called the same become one: nobody could choose between them.
 */
export const chooseLabels = (
  contenders: readonly KnownContender[],
  blocks: readonly (readonly number[])[],
  given: {
    readonly catalog: Catalog
    readonly heads: ReadonlyMap<string, ResultHead>
    readonly describe?: DescribeStatement
  },
): readonly LabelledBlock[] => {
  const byWhole: LabelBlocks = () =>
    blocks.map(block => {
      const sql = contenders[block[0] ?? 0]?.candidate.sql
      return joinPhrases([(sql !== undefined && given.describe?.(sql, given.catalog)) || ''])
    })
  const byResult: LabelBlocks = () =>
    blocks.map(block => {
      const run = contenders[block[0] ?? 0]?.candidate.run
      return joinPhrases([(run?.status === 'ran' && formatResult(given.heads.get(run.resultId))) || ''])
    })
  let best: readonly LabelledBlock[] = []
  for (const way of [...byQuery, byWhole, byResult]) {
    const merged = mergeEqual(blocks, way(contenders, blocks), way === byResult)
    if (merged.length > best.length) best = merged
    if (best.length === blocks.length) break
  }
  return best
}

/** Blocks without a label of their own cannot be offered: the leader's block then makes the whole way useless. */
const mergeEqual = (
  blocks: readonly (readonly number[])[],
  labels: readonly string[],
  isResult: boolean,
): readonly LabelledBlock[] => {
  if (labels[0] === '') return []
  const merged = new Map<string, LabelledBlock>()
  labels.forEach((label, at) => {
    if (label === '') return
    const key = label.toLowerCase()
    const block = [...(merged.get(key)?.block ?? []), ...(blocks[at] ?? [])]
    merged.set(key, { block, label, isResult })
  })
  return [...merged.values()]
}
