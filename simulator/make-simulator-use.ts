import type { Interactions } from './interactions/make-interactions.ts'
import type { ModalUse } from './interactions/make-modal-use.ts'
import type { RunCommand } from './interactions/make-run-command.ts'
import type { PeopleTalk } from './messaging/make-people-talk.ts'
import type { RecordedMessage } from './shapes/message.ts'
import type { Channel, Person } from './shapes/people.ts'
import type { SimulatorUse } from './simulator.ts'
import type { Workspace } from './workspace.ts'

/** What people do, with people and channels by id, handle or name. */
export const makeSimulatorUse = (
  workspace: Workspace,
  parts: {
    readonly talk: PeopleTalk
    readonly interactions: Interactions
    readonly modalUse: ModalUse
    readonly runCommand: RunCommand
  },
): SimulatorUse => {
  const { talk, interactions, modalUse, runCommand } = parts

  const person = (by: string): Person =>
    workspace.people.find(({ id, handle }) => id === by || handle === by) ?? missing(`person ${by}`)

  const channel = (named: string | undefined, by: Person): Channel =>
    workspace.channels.find(({ id, name, kind, person }) =>
      named === undefined ? person === by.id : id === named || (kind === 'channel' && `#${name}` === named),
    ) ?? missing(`channel ${named}`)

  const message = ({ channel, ts }: Pick<RecordedMessage, 'channel' | 'ts'>): RecordedMessage =>
    workspace.messages.find(channel, ts) ?? missing(`message ${ts}`)

  return {
    post: said => {
      const by = person(said.by)
      return talk.post({ by, channel: channel(said.in, by), threadTs: said.thread ?? null, text: said.text })
    },
    edit: (which, text) => talk.edit(message(which), text),
    remove: which => talk.remove(message(which)),
    click: click => interactions.click({ ...click, by: person(click.by).id }),
    submitModal: (by, values) => modalUse.submit(person(by).id, values),
    closeModal: by => modalUse.close(person(by).id),
    openHome: (by, tab = 'home') => talk.openHome(person(by), tab),
    join: (by, named) => talk.join(person(by), channel(named, person(by))),
    command: (by, named, entered) => {
      const who = person(by)
      return runCommand(who.id, channel(named, who).id, entered)
    },
  }
}

const missing = (what: string): never => {
  throw new Error(`the simulator knows no ${what}`)
}
