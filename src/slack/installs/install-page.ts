/** A page for whoever installs the app: a title, and what there is to say in sentences. */
export interface InstallPage {
  readonly status: number
  readonly title: string
  readonly said: readonly string[]
  /** Where it goes on. */
  readonly link?: { readonly text: string; readonly url: string }
}

/** Writes it as HTML. All of it is text: the name of a workspace is chosen by somebody else. */
export const renderInstallPage = ({ title, said, link }: Omit<InstallPage, 'status'>): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem }</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${said.map(sentence => `<p>${escapeHtml(sentence)}</p>`).join('\n')}
${link ? `<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.text)}</a></p>` : ''}
</body>
</html>
`

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, sign => htmlEntities[sign] ?? sign)
