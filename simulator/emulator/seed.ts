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
    token: 'xoxb-simulator',
  },
} as const

/** The emulator knows callers by tokens; a person's is for the simulator's own use. */
export const tokenOf = (handle: string): string => `xoxp-simulator-${handle}`

/** The bot's account with the scope to read files, which the app itself lacks: for downloads from the page. */
export const fileToken = 'xoxb-simulator-files'
