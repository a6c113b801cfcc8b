import type { AccessRefusal, AccessRefusalCode, ChannelFacts } from '../core/access.ts'

const refused = (why: AccessRefusalCode, reason: string, nextStep: string): AccessRefusal => ({
  status: 'refused',
  why,
  reason,
  nextStep,
})

/** The words of every refusal. `here` is the place, `group` where querent.yml has its rules. */
export const refusal = {
  unmappedChannel: ({ name, id }: Pick<ChannelFacts, 'name' | 'id'>, database: string): AccessRefusal =>
    refused(
      'unmapped-channel',
      `I do not answer in #${name ?? id} yet: no database is set for it.`,
      `An admin can add this to querent.yml and restart me:\n\`\`\`channels:\n  ${name ?? id}:\n    database: ${database}\`\`\``,
    ),
  noDirectMessages: (): AccessRefusal =>
    refused(
      'no-direct-messages',
      'I do not answer in direct messages here.',
      'Ask me in a channel. An admin can change that with `directMessages.enabled` in querent.yml.',
    ),
  sharedChannel: (here: string, group: string): AccessRefusal =>
    refused(
      'shared-channel',
      `${here} is shared with another company or workspace, and answers there would be seen by it.`,
      `Ask in a channel of your own. An admin can allow it with \`${group}.outsiders: true\` in querent.yml.`,
    ),
  left: (): AccessRefusal =>
    refused(
      'left',
      'The account that this is for was closed.',
      'Somebody who is still here has to ask, or take it over; an admin can hand a digest over.',
    ),
  outsider: (here: string, group: string): AccessRefusal =>
    refused(
      'outsider',
      'I answer people of this workspace, and you are from another one.',
      `Ask somebody here to ask for you. An admin can allow it in ${here} with \`${group}.outsiders: true\` in querent.yml.`,
    ),
  guest: (here: string, group: string): AccessRefusal =>
    refused(
      'guest',
      'I do not answer guests of this workspace.',
      `Ask a member to ask for you. An admin can allow it in ${here} with \`${group}.guests: true\` in querent.yml.`,
    ),
  notListed: (here: string, group: string): AccessRefusal =>
    refused(
      'not-listed',
      `In ${here} only some people may ask, and you are not among them.`,
      `An admin can add you, or a user group that you are in, to \`${group}.mayAsk\` in querent.yml.`,
    ),
  notInChannel: ({ name, id }: Pick<ChannelFacts, 'name' | 'id'>): AccessRefusal =>
    refused(
      'not-in-channel',
      `Rows go into #${name ?? id} only with the rights of somebody who is in it, and that person is not.`,
      'They can join it and try again, or another channel can be chosen.',
    ),
  otherDatabase: (here: string, then: string, now: string): AccessRefusal =>
    refused(
      'other-database',
      then === now
        ? `${here} has another glossary now than when this was asked.`
        : `This was asked of ${then}, and ${here} asks ${now} now.`,
      'Ask the question again.',
    ),
} as const

/** What is said when the platform did not tell who somebody is, or what a channel is. */
export const unknownFacts = {
  reason: 'Slack did not tell me who you are or what this channel is, so I cannot know whether I may answer.',
  nextStep:
    'Try again in a minute. If it stays so, an admin can see with `querent doctor` whether the app has every scope of manifest.yml.',
} as const
