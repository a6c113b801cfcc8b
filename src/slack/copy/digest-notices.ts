import type { RepairDecision } from '../../domain/digest-use-cases.ts'

/** What the owner of a digest is told. `title` is in quotation marks. */
export const noticeTexts = {
  failedAndPaused: (title: string, failures: number): string =>
    `Your digest ${title} failed ${failures} times in a row, so I paused it.`,
  failed: (title: string): string => `Your digest ${title} failed.`,
  failedNextStep: (nextStep: string, failures: number): string =>
    `${nextStep} It runs again at its next time. After ${failures} failures in a row I pause it.`,
  notAllowed: (title: string): string =>
    `Your digest ${title} is paused: you no longer have access to its data there.`,
  unreachable: (title: string, kind: 'channel' | 'person'): string =>
    `Your digest ${title} is paused: I could not post it ${kind === 'channel' ? 'in its channel' : 'to its recipient'}.`,
  unreachableNextStep: (target: string, kind: 'channel' | 'person'): string =>
    kind === 'channel'
      ? `It goes ${target}. Invite me there with \`/invite @querent\`, or choose another place under Edit. Then resume it.`
      : `It goes ${target}. Choose another place under Edit, then resume it.`,
  sqlNoLongerFits: 'Its SQL no longer fits the database.',
  repair: (title: string): string => `Your digest ${title} is paused: its SQL no longer fits the database.`,
  noRepair:
    'I found nothing that could replace it. Ask again asks the question where the digest goes, and makes a new digest of the answer. Edit removes the question if there are others. Resume the digest once the database is as it was, or delete it.',
  acceptHere:
    'Nothing else runs until you decide. Accept uses the new query from now on. Refuse keeps the digest paused.',
  acceptInModal:
    'Nothing else runs until you decide. Compare shows both queries, and lets you accept or refuse.',
} as const

/** Why Slack did not let me post, by its code. */
export const unreachableReason = (code: string): string => {
  switch (code) {
    case 'channel_not_found':
      return 'Its channel no longer exists, or it is private and I am not in it.'
    case 'not_in_channel':
      return 'I am not in its channel.'
    case 'is_archived':
      return 'Its channel is archived.'
    default:
      return `Slack does not let me message its recipient (${code}).`
  }
}

/** Titles of both queries, and of the modal that compares them. */
export const repairTitles = {
  modal: 'Repair a digest',
  before: 'Before',
  proposed: 'Proposed',
  alternative: 'Equally likely',
} as const

/** What replaces a proposal once it is decided. */
export const repairDecisionTexts = (
  title: string,
  decision: RepairDecision,
  { isPaused }: { readonly isPaused: boolean },
): { readonly reason: string; readonly nextStep: string } => {
  if (decision === 'refuse')
    return {
      reason: `The repair of “${title}” is refused.`,
      nextStep: 'The digest stays paused. Resume or delete it in my Home tab.',
    }
  return {
    reason: `The repair of “${title}” is accepted.`,
    nextStep: isPaused
      ? 'The digest was paused before and stays paused. Resume it in my Home tab.'
      : 'The digest runs again at its next time.',
  }
}

export const repairDecidedText =
  'There is nothing left to decide: someone else decided, or there is a newer repair.'

/** What `Ask again` says to the person who clicked. */
export const askAgainTexts = {
  asked:
    'I asked the question where the digest goes. The answer becomes a new digest. Delete this one once it is there.',
  notInChannel:
    'I am not in the channel of this digest. Invite me there with /invite @querent, or choose another place under Edit.',
  wrongDatabase: (database: string): string =>
    `I asked nothing: ${database} can't be asked where this digest goes. Ask the question in a channel where it can, and press Schedule under the answer.`,
  withGlossary: (database: string, glossary: string): string => `${database} with the glossary ${glossary}`,
} as const
