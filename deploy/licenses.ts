import { projectFolder } from '../src/lib/project.ts'
import { isAllowedLicense, readDependencyLicenses, renderLicenses } from './dependency-licenses.ts'

/**
 * `npm run licenses`: prints the licenses of all runtime dependencies, and fails if one is unknown or not on the list of
 * allowed ones.
 */
const dependencies = readDependencyLicenses(projectFolder)
process.stdout.write(renderLicenses(dependencies))
for (const { name, version, license } of dependencies.filter(({ license }) => !isAllowedLicense(license))) {
  process.stderr.write(`${name} ${version}: ${license ?? 'no license'} is not an allowed license\n`)
  process.exitCode = 1
}
