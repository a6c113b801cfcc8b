import type { Digest } from '../../domain/digests/digest.ts'
import { plainReply, type SlackMessage } from '../block-kit/blocks.ts'
import type { DigestAction } from '../copy/digest.ts'
import { digestIdTexts } from '../copy/digest.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { digestHelpView, digestListView } from '../views/digests/notice.ts'
import { applyDigestAction, findDigest, formatDigestActionResult } from './digest-buttons.ts'

/** A parsed `/querent digest` command. */
export type DigestCommand =
  | { readonly action: 'help'; readonly typed: string | null }
  | { readonly action: 'list' }
  | { readonly action: DigestAction; readonly id: string }
  | {
      readonly action: 'make'
      /** When it is due, on which condition it is posted, and where; not parsed yet. */
      readonly schedule: string
      readonly question: string
    }

/** Digest commands that ask no question. */
export type DigestManagementCommand = Exclude<DigestCommand, { readonly action: 'make' }>

/** Ids have 36 characters; the first eight tell the digests of a team apart. */
const SHORTEST_ID = 8

const MOST_LISTED = 20

/** A shortened id is looked for among this many digests. */
const MOST_SEARCHED = 1_000

const actionsByWord: Readonly<Record<string, DigestAction>> = {
  run: 'runNow',
  pause: 'pause',
  resume: 'resume',
  delete: 'remove',
  remove: 'remove',
}

/** Parses what follows `/querent digest`. */
export const parseDigestCommand = (text: string): DigestCommand => {
  const [word = '', id = '', ...more] = text.trim().split(/\s+/)
  const action = actionsByWord[word.toLowerCase()]
  if (action && more.length === 0) return { action, id: id.replaceAll('`', '').toLowerCase() }
  // The colon of a time, as in 08:30, has a digit behind it.
  const [, schedule = '', question] = /^([\s\S]*?\S)\s*:(?!\d)([\s\S]*)$/.exec(text.trim()) ?? []
  if (question !== undefined)
    return {
      action: 'make',
      schedule: schedule.replace(/\s+/g, ' ').trim(),
      question: question.replace(/\s+/g, ' ').trim(),
    }
  if (word.toLowerCase() === 'list') return { action: 'list' }
  return { action: 'help', typed: word === '' || word.toLowerCase() === 'help' ? null : text.trim() }
}

/** Runs a digest command and returns its reply. `request` is unique for each typed command. */
export const runDigestCommand = async (
  { digests, isAdmin }: Pick<SlackUseCases, 'digests' | 'isAdmin'>,
  command: DigestManagementCommand,
  given: { readonly person: string; readonly team: string; readonly request: string },
): Promise<SlackMessage> => {
  const { person, team, request } = given
  const all = isAdmin(person)
  switch (command.action) {
    case 'help':
      return digestHelpView(command.typed)
    case 'list':
      return digestListView({
        ...(await digests.list({ person, team, all, offset: 0, limit: MOST_LISTED })),
        all,
      })
    case 'runNow':
    case 'pause':
    case 'resume':
    case 'remove': {
      const digest = await byId(command.id)
      if (typeof digest === 'string') return plainReply({ reason: digest, nextStep: digestIdTexts.seeList })
      const done = await applyDigestAction(digests, command.action, { digestId: digest.id, person, request })
      return plainReply({
        reason: formatDigestActionResult(command.action, digest.title, done),
        nextStep: digestIdTexts.moreInHome,
      })
    }
    default: {
      const never: never = command
      return never
    }
  }

  async function byId(id: string): Promise<Digest | string> {
    if (id.length < SHORTEST_ID) return digestIdTexts.tooShort
    if (/^[0-9a-f-]{36}$/.test(id)) {
      const found = await findDigest(digests, { digestId: id, person, team })
      return found.status === 'found' ? found.digest : found.reason
    }
    const { digests: known } = await digests.list({ person, team, all, offset: 0, limit: MOST_SEARCHED })
    const [first, second] = known.filter(digest => digest.id.startsWith(id))
    if (!first) return digestIdTexts.unknown
    return second ? digestIdTexts.ambiguous : first
  }
}
