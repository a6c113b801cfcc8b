/** Who and what is in the simulated workspace. All names are made up. */
export const seed = {
  team: { name: 'Querent demo', domain: 'querent-demo' },
  people: [
    { handle: 'ada', name: 'Ada Brandt' },
    { handle: 'jonas', name: 'Jonas Meier' },
    { handle: 'mira', name: 'Mira Costa' },
  ],
  channels: ['general', 'sales', 'random'],
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

/** The bot's account with the right to read files, which the app itself need not have: for the page's downloads. */
export const fileToken = 'xoxb-simulator-files'
