"""Stages: who goes on from one (予選) to the next (決勝), with which points, and the places of all.

The game's rules say nothing of stages; a tournament's director chooses all of it beforehand:
`selection` tells who goes on, `places` who stands where.
"""
