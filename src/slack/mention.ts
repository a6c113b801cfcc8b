import { escapeMrkdwn } from './escape-mrkdwn.ts'
import { isSlackPerson } from './slack-person.ts'

/** A person in mrkdwn: a mention where the id is Slack's, else the name as it is. */
export const mention = (person: string): string =>
  isSlackPerson(person) ? `<@${person}>` : escapeMrkdwn(person)
