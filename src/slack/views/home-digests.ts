import type { Digest } from '../../core/digest.ts'
import { actionIds } from '../action-ids.ts'
import type { SlackBlock } from '../block-schema.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import { mention } from '../mention.ts'
import { buttonRow, type RowButton } from './button-row.ts'
import { deleteButton } from './delete-digest.ts'
import { writeDigestKey } from './digest-key.ts'
import { contextBlock, sectionBlock } from './say-block.ts'
import { formatSchedule, formatStatus, formatTarget } from './say-digest.ts'

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
export const homeDigestBlocks = ({ digests, total, offset, all }: HomeDigests): SlackBlock[] => {
  const title = all ? '*Digests of everybody*' : '*Your digests*'
  if (total === 0)
    return [
      { type: 'divider' },
      sectionBlock(`${title}\nNone yet. Press _Schedule_ under an answer to have it again and again.`),
    ]
  return [
    { type: 'divider' },
    sectionBlock(`${title} (${total.toLocaleString('en-US')})`),
    ...digests.slice(0, digestsPerPage).flatMap(digest => digestBlocks(digest, { offset, all })),
    ...pageBlocks({ digests, total, offset, all }),
  ]
}

const digestBlocks = (
  digest: Digest,
  { offset, all }: { readonly offset: number; readonly all: boolean },
): SlackBlock[] => {
  const { id, title, questions, owner } = digest
  const many = questions.length > 1 ? `  ·  ${questions.length} questions` : ''
  const whose = all ? `  ·  of ${mention(owner)}` : ''
  return [
    sectionBlock(
      `*${escapeAndTruncate(title || '–', 300)}*${many}${whose}\n${formatSchedule(digest)}, ${formatTarget(digest)}${digest.pause === null ? '  ·  ' : '\n'}${formatStatus(digest)}`,
    ),
    buttonRow(writeDigestKey({ digestId: id, offset, run: null }), digestButtons(digest)),
  ]
}

const digestButtons = ({ pause, repair }: Digest): readonly RowButton[] => [
  ...(repair === null ? [] : [[actionIds.digestRepairCompare, 'Decide', { style: 'primary' }] as const]),
  [actionIds.digestEdit, 'Edit'],
  pause === null ? [actionIds.digestPause, 'Pause'] : [actionIds.digestResume, 'Resume'],
  [actionIds.digestRun, 'Run now'],
  [actionIds.digestHandOver, 'Hand over'],
  deleteButton,
]

const pageBlocks = ({ digests, total, offset }: HomeDigests): SlackBlock[] => {
  if (total <= digestsPerPage && offset === 0) return []
  const last = offset + digests.length
  const before = Math.max(0, offset - digestsPerPage)
  const buttons = [
    ...(offset > 0 ? [pageButton(actionIds.homeDigestsPrevious, 'Previous', before)] : []),
    ...(last < total ? [pageButton(actionIds.homeDigestsNext, 'Next', offset + digestsPerPage)] : []),
  ]
  const shown = digests.length === 0 ? 'None on this page' : `${offset + 1} to ${last}`
  return [
    contextBlock(`${shown} of ${total.toLocaleString('en-US')}`),
    ...(buttons.length === 0 ? [] : [{ type: 'actions' as const, elements: buttons }]),
  ]
}

const pageButton = (actionId: string, says: string, offset: number) => ({
  type: 'button' as const,
  action_id: actionId,
  text: { type: 'plain_text' as const, text: says },
  value: String(offset),
})
