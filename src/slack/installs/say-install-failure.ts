import type { InstallPage } from './install-page.ts'

/** What went wrong with an installation, by the code of Slack's library. */
export const installFailurePage = (code: string | undefined): InstallPage => {
  const again = { text: 'Begin again', url: 'install' }
  switch (code) {
    case 'slack_oauth_installer_authorization_error':
      return { status: 400, title: 'Not installed', said: ['You did not agree, so nothing was installed.'] }
    case 'slack_oauth_invalid_state':
    case 'slack_oauth_missing_state':
      return {
        status: 400,
        title: 'Not installed',
        said: ['The installation was begun in another browser, or more than ten minutes ago.'],
        link: again,
      }
    case 'slack_oauth_missing_code':
      return {
        status: 400,
        title: 'Not installed',
        said: ['This page is where Slack comes back to. It shows nothing by itself.'],
        link: again,
      }
    default:
      return {
        status: 500,
        title: 'Not installed',
        said: ['Something broke on the side of Querent. Its log says more.', 'Nothing was changed.'],
        link: again,
      }
  }
}
