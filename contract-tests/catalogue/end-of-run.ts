/** §4: lists at the end of the run, when much has been created, still contain the newest item. Runs near the end. */
import type { Requirement } from '../harness/requirement.ts'
import { document, newestListed, task } from './stored-resources.ts'

export const endOfRun: Requirement[] = [newestListed(task), newestListed(document)]
