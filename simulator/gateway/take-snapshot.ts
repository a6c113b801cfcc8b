import type { Snapshot } from '../shapes/snapshot.ts'
import type { Workspace } from '../workspace.ts'

/** Nobody reads more than this on the page; the record keeps everything. */
const MESSAGES_SHOWN = 2_000

/**
 * What one person, named by id or handle, sees of the workspace; the first one when nobody such is known. Histories stay
 * behind: the page shows the present.
 */
export const takeSnapshot = (workspace: Workspace, asked: string | null): Snapshot => {
  const { messages, channels, views, people } = workspace
  const known = people.find(({ id, handle }) => id === asked || handle === asked)
  const me = (known ?? people[0])?.id ?? ''
  const mine = new Set(
    channels.filter(channel => channel.person === null || channel.person === me).map(channel => channel.id),
  )
  const visible = messages
    .all()
    .filter(message => mine.has(message.channel) && !message.deleted)
    .filter(message => message.onlyFor === null || message.onlyFor === me)
  const { id, name, handle } = workspace.bot
  return {
    team: workspace.team.name,
    bot: { id, name, handle },
    people,
    me,
    channels: channels.filter(channel => mine.has(channel.id)),
    messages: visible.slice(-MESSAGES_SHOWN).map(message => ({ ...message, history: [] })),
    statuses: workspace.statuses.all(),
    prompts: workspace.agentView.prompts().filter(({ channel }) => mine.has(channel)),
    titles: workspace.agentView.titles().filter(({ channel }) => mine.has(channel)),
    modal: views.top(me),
    home: views.home(me),
    commands: workspace.commands,
    problems: workspace.problems.all().length,
  }
}
