;;; clients.el --- url.el of Emacs  -*- lexical-binding: t -*-
;; `emacs --batch -l clients.el SET-UP METHOD=URL …` sends the requests one after another and prints the status and the
;; length of each answer, or `error`.
(require 'url)

(defun clients-show (request)
  "Send REQUEST, written METHOD=URL, and print what came of it."
  (let* ((split (string-match "=" request))
         (url-request-method (substring request 0 split))
         (url-request-data (and (equal url-request-method "POST") ""))
         (url-show-status nil)
         (buffer (condition-case nil (url-retrieve-synchronously (substring request (1+ split)) t) (error nil))))
    (princ
     (with-current-buffer (or buffer (get-buffer-create "empty"))
       (goto-char (point-min))
       (if (looking-at "HTTP/[0-9.]+ \\([0-9]+\\)")
           (let ((status (match-string 1)))
             (search-forward "\n\n" nil t)
             (format "%s %d\n" status (- (point-max) (point))))
         "error\n")))))

(mapc #'clients-show (cdr command-line-args-left))
(kill-emacs)
