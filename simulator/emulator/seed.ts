import { randomBytes } from 'node:crypto'

/** The people and channels of the simulated workspace. All names are made up. */
export const seed = {
  team: { name: 'Querent demo', domain: 'querent-demo' },
  people: [
    { handle: 'ada', name: 'Ada Brandt', kind: 'member' },
    { handle: 'jonas', name: 'Jonas Meier', kind: 'member' },
    { handle: 'mira', name: 'Mira Costa', kind: 'member' },
    { handle: 'noor', name: 'Noor Haddad (guest)', kind: 'guest' },
    { handle: 'theo', name: 'Theo Lind (Northwind)', kind: 'outsider' },
  ],
  channels: [
    { name: 'general', isShared: false },
    { name: 'sales', isShared: false },
    { name: 'random', isShared: false },
    /** A Slack Connect channel: another company is in it. */
    { name: 'partners', isShared: true },
  ],
  /** Who is in a user group, by handle. */
  groups: [{ id: 'S0ANALYSTS', handle: 'analysts', members: ['jonas'] }],
  /** The workspace that outsiders are from. */
  otherTeam: 'T0NORTHWIND',
  bot: {
    name: 'querent',
    botId: 'B0QUERENT1',
    userId: 'U0QUERENT1',
    appId: 'A0QUERENT1',
  },
} as const

/** By which tokens the emulator knows its callers. */
export interface EmulatorTokens {
  readonly bot: string
  /** The bot's account with the scope to read files, which the app itself lacks: for downloads from the page. */
  readonly files: string
  /** A person's, for the simulator's own use. */
  readonly of: (handle: string) => string
}

/** Draws the tokens of one start: nobody can know those of a simulator that runs. */
export const drawTokens = (): EmulatorTokens => {
  const people = new Map(seed.people.map(({ handle }) => [handle as string, `xoxp-${drawSecret()}`]))
  return {
    bot: `xoxb-${drawSecret()}`,
    files: `xoxb-${drawSecret()}`,
    of: handle => {
      const token = people.get(handle)
      if (token === undefined) throw new Error(`there is nobody called ${handle}`)
      return token
    },
  }
}

/** A secret that nobody can guess. */
export const drawSecret = (): string => randomBytes(16).toString('hex')
