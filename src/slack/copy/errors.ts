/** A reason and what to do about it, as one text. */
export const withNextStep = ({
  reason,
  nextStep,
}: {
  readonly reason: string
  readonly nextStep: string
}): string => `${reason} ${nextStep}`

/** A question that I could not answer because something broke. */
export const couldNotAnswer = (reason: string): string => `I could not answer this. ${reason}`

/** Below a refusal. `people` are mentions. */
export const adminsToAsk = (people: readonly string[]): string => `Admins you can ask: ${people.join(', ')}.`

/** Below a question that I do not answer. `owner` is a mention, or a name from the configuration. */
export const ownerToAsk = (owner: string): string => `Ask ${owner} about this data.`

/** True as long as Slack delivers the message again, which is for six minutes. */
export const unavailableText =
  "My own database is down, so I can't take this question yet. I will answer here as soon as it is back. If nothing comes within ten minutes, please ask again."

/** To anyone whose click broke. */
export const clickFailedText = 'That did not work. Try again in a moment. The log has the details.'

/** To anyone whose command broke. */
export const commandFailed = {
  reason: 'That did not work.',
  nextStep: 'Try again in a moment. An admin can find the details in the log.',
} as const

/** At a field of a form, if nothing more is known. */
export const formFailedText = 'Something went wrong on my side. Try again in a moment.'

export const alreadyDecidedText = 'Someone else already decided this.'

/** A channel that nobody invited me to. */
export const notInChannel = {
  reason: "I am not in this channel, so I can't post your question here.",
  nextStep: 'Invite me with `/invite @querent`, or message me directly.',
} as const

/** If Slack opens no conversation with a person. */
export const noDirectMessagesText =
  'I could not open your direct messages with me. Message me there once, then try again.'
