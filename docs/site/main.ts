import { parseArgs } from 'node:util'
import { buildSite, installGenerator, isGeneratorInstalled, serveSite, siteFolder } from './build-site.ts'
import { writeReference } from './reference/write-reference.ts'

/**
 * `npm run docs`: installs the generator if it is not there yet, writes the reference, builds the site, and checks its
 * links. `--install` only installs, `--serve` shows the site afterwards, `--base /docs/` is for a site that is not at the
 * root of its server.
 */
const { values } = parseArgs({
  options: {
    install: { type: 'boolean', default: false },
    serve: { type: 'boolean', default: false },
    base: { type: 'string', default: '/' },
  },
})

try {
  if (!isGeneratorInstalled()) await installGenerator()
  if (!values.install) {
    await writeReference()
    await buildSite({ base: values.base })
    if (values.serve) await serveSite(values.base)
    else process.stdout.write(`The site is in ${siteFolder}. To read it: npm run docs -- --serve\n`)
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
