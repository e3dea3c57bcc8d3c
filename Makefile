# The two commands a newcomer needs: `make demo` and `make test`.
