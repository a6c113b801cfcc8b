import type { Digest } from '../../core/digest.ts'
import { actionIds } from '../action-ids.ts'
import type { CheckedBlock } from '../block-schema.ts'
import { escapeWithin } from '../escape-within.ts'
import { mention } from '../mention.ts'
import { buttonRow, type RowButton } from './button-row.ts'
import { deleteDigest } from './delete-digest.ts'
import { writeDigestKey } from './digest-key.ts'
import { sayBlock, smallPrint } from './say-block.ts'
import { saySchedule, sayStatus, sayTarget } from './say-digest.ts'

/** Digests on one page of App Home: of twice as many, a view would soon be full. */
export const digestsPerPage = 10

/** One page of digests. `all`: they are of everybody, for an admin. */
export interface HomeDigests {
  readonly digests: readonly Digest[]
  readonly total: number
  readonly offset: number
  readonly all: boolean
}

/** The digests of whoever looks, or everybody's for an admin: the next due first, each with what can be done with it. */
export const homeDigestBlocks = ({ digests, total, offset, all }: HomeDigests): CheckedBlock[] => {
  const title = all ? '*Digests of everybody*' : '*Your digests*'
  if (total === 0)
    return [
      { type: 'divider' },
      sayBlock(`${title}\nNone yet. Press _Schedule_ under an answer to have it again and again.`),
    ]
  return [
    { type: 'divider' },
    sayBlock(`${title} (${total.toLocaleString('en-US')})`),
    ...digests.slice(0, digestsPerPage).flatMap(digest => oneDigest(digest, { offset, all })),
    ...pageBlocks({ digests, total, offset, all }),
  ]
}

const oneDigest = (
  digest: Digest,
  { offset, all }: { readonly offset: number; readonly all: boolean },
): CheckedBlock[] => {
  const { id, title, questions, owner } = digest
  const many = questions.length > 1 ? `  ·  ${questions.length} questions` : ''
  const whose = all ? `  ·  of ${mention(owner)}` : ''
  return [
    sayBlock(
      `*${escapeWithin(title || '–', 300)}*${many}${whose}\n${saySchedule(digest)}, ${sayTarget(digest)}${digest.pause === null ? '  ·  ' : '\n'}${sayStatus(digest)}`,
    ),
    buttonRow(writeDigestKey({ digestId: id, offset, run: null }), buttonsOf(digest)),
  ]
}

const buttonsOf = ({ pause, repair }: Digest): readonly RowButton[] => [
  ...(repair === null ? [] : [[actionIds.digestRepair, 'Decide', { style: 'primary' }] as const]),
  [actionIds.digestEdit, 'Edit'],
  pause === null ? [actionIds.digestPause, 'Pause'] : [actionIds.digestResume, 'Resume'],
  [actionIds.digestRun, 'Run now'],
  [actionIds.digestHandOver, 'Hand over'],
  deleteDigest,
]

const pageBlocks = ({ digests, total, offset }: HomeDigests): CheckedBlock[] => {
  if (total <= digestsPerPage && offset === 0) return []
  const last = offset + digests.length
  const before = Math.max(0, offset - digestsPerPage)
  const buttons = [
    ...(offset > 0 ? [pageButton(actionIds.homeDigestsBack, 'Previous', before)] : []),
    ...(last < total ? [pageButton(actionIds.homeDigestsOn, 'Next', offset + digestsPerPage)] : []),
  ]
  const shown = digests.length === 0 ? 'None on this page' : `${offset + 1} to ${last}`
  return [
    smallPrint(`${shown} of ${total.toLocaleString('en-US')}`),
    ...(buttons.length === 0 ? [] : [{ type: 'actions' as const, elements: buttons }]),
  ]
}

const pageButton = (actionId: string, says: string, offset: number) => ({
  type: 'button' as const,
  action_id: actionId,
  text: { type: 'plain_text' as const, text: says },
  value: String(offset),
})
