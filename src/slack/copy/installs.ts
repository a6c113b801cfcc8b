/** What a page of the installation says: a title, and its sentences. */
interface InstallPageTexts {
  readonly title: string
  readonly sentences: readonly string[]
}

const notInstalled = (...sentences: string[]): InstallPageTexts => ({ title: 'Not installed', sentences })

export const installPages = {
  start: {
    title: 'Install Querent',
    sentences: ['Querent answers data questions in Slack. You choose the workspace on the next page.'],
  },
  done: (team: string): InstallPageTexts => ({
    title: 'Installed',
    sentences: [
      `Querent is installed in ${team}.`,
      'Go back to Slack and message it directly, or invite it to a channel.',
    ],
  }),
  refused: (reason: string, nextStep: string): InstallPageTexts => notInstalled(reason, nextStep),
  declined: notInstalled('You did not agree, so nothing was installed.'),
  expired: notInstalled('The installation was started in another browser, or more than ten minutes ago.'),
  opened: notInstalled('Slack returns to this page after an installation. It shows nothing by itself.'),
  broken: notInstalled('Something went wrong in Querent. Its log has the details.', 'Nothing was changed.'),
} as const

export const installLinks = { install: 'Install in Slack', startAgain: 'Start again' } as const

/** If Slack names neither the workspace nor its ID. */
export const unnamedWorkspace = 'a workspace without a name'
