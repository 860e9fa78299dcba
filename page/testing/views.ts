/** Addresses that together show every part of the page, for a mock that was filled. */

/** The addresses, behind `#/`; `TASK` stands for the id of a task. */
export const addresses: readonly string[] = [
  'overview',
  'overview?at=3',
  '?help=1',
  'tasks',
  'tasks?task=TASK',
  'data',
  'data?id=document_1',
  'data?kind=notifications',
  'data?kind=keys',
  'data?kind=creatives',
  'data?kind=landing_pages',
  'data?kind=campaigns',
  'data?kind=prospects',
  'data?kind=wallet',
  'break',
  'break?fault=delay&rate=0.5&chaos=0.1&quirks=7',
  'requests',
  'requests?n=5',
  'requests?n=5&edit=1',
  'travel',
  'travel?at=4',
  'reports',
]
