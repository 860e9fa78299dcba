;; (web client) of Guile: `guile clients.scm SET-UP METHOD=URL …` sends the requests one after another and prints the
;; status and the length of each answer, or `error`.
(use-modules (web client) (web response) (rnrs bytevectors) (ice-9 receive))

(define (length-of body)
  (cond ((string? body) (string-length body))
        ((bytevector? body) (bytevector-length body))
        (else 0)))

(define (show request)
  (let* ((split (string-index request #\=))
         (post? (string=? (substring request 0 split) "POST"))
         (url (substring request (1+ split))))
    (catch #t
      (lambda ()
        (receive (answer body) (if post? (http-post url #:body "") (http-get url))
          (format #t "~a ~a~%" (response-code answer) (length-of body))))
      (lambda _ (format #t "error~%")))))

(for-each show (cddr (command-line)))
