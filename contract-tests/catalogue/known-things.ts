import { must, type Requirement, should } from '../harness/requirement.ts'
import { byModel } from './response-shapes.ts'

export const knownThings: Requirement[] = [
  must('TASK-ANSWER-TEXT', '§4', 'createTask')
    .states('Every createTask response contains the text that was sent.')
    .observe(byModel('TASK-ANSWER-TEXT', 'createTask', 'created task')),

  must('TASK-NEW-IDLE', '§3', 'createTask')
    .states('A task that never ran is not in_progress.')
    .observe(byModel('TASK-NEW-IDLE', 'createTask', 'created task')),

  must('DOC-ANSWER-FIELDS', '§2', 'createDocument')
    .states(
      'Responses of createDocument and getDocument show the content, summary and folder of the creation, or none.',
    )
    .observe(byModel('DOC-ANSWER-FIELDS', 'createDocument', 'created document')),

  must('NOTIFICATION-LISTED', '§4', 'listNotifications')
    .states('The list of notifications contains the newest one.')
    .observe(
      byModel('NOTIFICATION-LISTED', 'listNotifications', 'unread notification'),
      'NOTIFICATION-NEW-UNREAD',
    ),

  should('LANDING-PAGE-LISTED-SAME', '§2', 'listLandingPages')
    .states('The list shows a landing page with the business_name that its creation returned.')
    .observe(byModel('LANDING-PAGE-LISTED-SAME', 'listLandingPages', 'created landing page in a list')),
]
